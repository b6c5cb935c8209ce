import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPostgreSQL
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// A store of the conformance model with recorded random transactions.
struct RunBench {
    let bench: StoreBench
    let store: any RevertingStore
    let node: Schema.Entity

    init(_ factory: StoreFactory) throws {
        bench = try StoreBench(factory)
        store = try #require(bench.store as? any RevertingStore)
        node = try bench.entity("Node")
    }

    var sqlite: SQLiteStore {
        get throws { try #require(store as? SQLiteStore) }
    }

    var dump: [String: [String]] {
        get throws { try Self.dump(bench.opened) }
    }

    /// All rows of all tables.
    static func dump(_ opened: OpenedStore) throws -> [String: [String]] {
        if let url = opened.url { return try PostgreSQLServer.required().dump(url) }
        return try StoreDump.of(try #require(opened.store as? SQLiteStore).connection)
    }

    /// The names of the runs with data, or the file names in the folder of the runs.
    var runNames: [String] {
        get throws {
            guard let store = store as? SQLiteStore else {
                return try store.runs().entries.filter { $0.revertBytes != nil }.map(\.id)
            }
            return ((try? FileManager.default.contentsOfDirectory(atPath: store.path + ".runs")) ?? []).sorted()
        }
    }

    /// Reverts the newest run from another connection, without the model.
    func revertNewest() throws -> RevertedRun {
        guard let url = bench.opened.url else { return try SQLiteStore.revert(path: try sqlite.path) }
        return try PostgreSQLStores.revert(url)
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
                if !(store is SQLiteStore) { try removeReferences(writer, to: one, keys) }
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

    /// A PostgreSQL store has no references to objects that do not exist.
    private func removeReferences(_ writer: any StoreWriter, to key: Int64, _ keys: [Int64]) throws {
        let batch = try store.read(root: node.root, keys: keys)
        for relationship in node.relationships where relationship.isPersistent && !relationship.isToMany {
            for row in batch.rows.indices {
                guard case .reference(key, _) = batch[row, relationship.slot] else { continue }
                try writer.setReference(
                    relationship, owner: batch.rows[row].key, entity: node.index, destination: nil)
            }
        }
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
