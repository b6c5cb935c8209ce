import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// A store of the conformance model with recorded random transactions.
struct RunBench {
    let bench: StoreBench
    let store: SQLiteStore
    let node: Schema.Entity

    init(_ factory: StoreFactory) throws {
        bench = try StoreBench(factory)
        store = try #require(bench.store as? SQLiteStore)
        node = try bench.entity("Node")
    }

    var dump: [String: [String]] {
        get throws { try StoreDump.of(store.connection) }
    }

    /// The file names in the folder of the runs.
    var runNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: store.path + ".runs")) ?? []).sorted()
    }

    static func entry(_ id: String, created: Int = 1, sources: Int = 1) -> ImportRun {
        var counts = ImportRun.Counts()
        counts.read = created
        counts.created = created
        let files = (0..<sources).map { ImportRun.Source(name: "file\($0).csv", digest: "\($0)") }
        return ImportRun(id: id, counts: counts, sources: files, isRevertible: true)
    }

    func record(_ id: String, _ body: (any StoreWriter) throws -> Void) throws {
        try store.transaction(recording: id) { writer in
            try body(writer)
            try writer.recordRun(Self.entry(id))
        }
    }

    private static let toOnes = ["mate", "next", "previous", "parent", "team", "pointer"]
    private static let lists = [
        "children", "members", "likes", "likedBy", "reviewers", "reviews", "ranks", "rankedBy", "friends", "keeps",
    ]

    /// Inserts, updates, deletes and links nodes, and updates `keys`.
    func change(
        _ writer: any StoreWriter, _ keys: inout [Int64], steps: Int, _ generator: inout SeededGenerator
    ) throws {
        for _ in 0..<steps {
            let one = keys.randomElement(using: &generator)
            let other = keys.randomElement(using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1, 2: keys.append(try insert(writer, name: "n\(generator.next() % 100)"))
            case 3:
                guard let one, keys.count > 3 else { continue }
                try writer.delete(entity: node.index, keys: [one])
                keys.removeAll { $0 == one }
            case 4, 5:
                guard let one else { continue }
                try rename(writer, one, "m\(generator.next() % 100)")
            case 6, 7:
                guard let one, let other else { continue }
                let name = Self.toOnes.randomElement(using: &generator) ?? "mate"
                try writer.setReference(
                    try bench.relationship(name), owner: one, entity: node.index, destination: other)
            default:
                guard let one else { continue }
                let relationship = try bench.relationship(Self.lists.randomElement(using: &generator) ?? "likes")
                let members = keys.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
                try writer.setLinks(
                    relationship, owner: one, ownerEntity: node.index,
                    to: members.map { Link(owner: one, entity: relationship.destination, destination: $0) })
            }
        }
        try writer.completeOrder()
    }

    func insert(_ writer: any StoreWriter, name: String) throws -> Int64 {
        let key = try writer.reserveKeys(root: node.index, count: 1)
        try writer.insert(try bench.row("Node", key, ["name": .string(name)]))
        return key
    }

    func rename(_ writer: any StoreWriter, _ key: Int64, _ name: String) throws {
        var batch = try store.read(root: node.root, keys: [key])
        try #require(batch.rows.count == 1)
        batch.rows[0].version += 1
        let slot = try #require(node.attribute(named: "name")).slot
        AttributeValue.string(name).withBorrowed { batch.set($0, row: 0, slot: slot) }
        try writer.update(batch)
    }
}
