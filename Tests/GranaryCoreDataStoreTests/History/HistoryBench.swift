import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// A store of the conformance model with a history, and helpers to change it and to read its history.
struct HistoryBench {
    let bench: StoreBench
    let node: Schema.Entity

    init(_ factory: StoreFactory = .sqliteWithHistory) throws {
        bench = try StoreBench(factory)
        node = try bench.entity("Node")
    }

    var backend: any StoreBackend { bench.store }

    /// Whether the store refuses a reference to no object.
    var keepsReferences: Bool { !(backend is SQLiteStore) }

    var store: SQLiteStore { get throws { try #require(bench.store as? SQLiteStore) } }

    /// An operation in a transaction. Objects are nodes unless noted.
    enum Step: Sendable {
        case insert(String, Int64)
        case insertChild(Int64, of: Int64)
        case name(Int64, String)
        case refer(String, Int64, Int64)
        case point(Int64, Int64)
        case touch(Int64)
        case link(String, Int64, [Int64])
        case delete(Int64)
    }

    func run(_ steps: [Step]) throws {
        try backend.transaction { writer in
            for step in steps { try run(step, writer) }
        }
    }

    private func run(_ step: Step, _ writer: any StoreWriter) throws {
        switch step {
        case .insert(let entity, let key): try writer.insert(try bench.row(entity, key))
        case .insertChild(let key, let parent):
            try writer.insert(try bench.row("Node", key, references: ["parent": ("Node", parent)]))
        case .name(let key, let name):
            try update(key, writer) { batch in
                let slot = try #require(node.attribute(named: "name")).slot
                AttributeValue.string(name).withBorrowed { batch.set($0, row: 0, slot: slot) }
            }
        case .point(let key, let target):
            let slot = try bench.relationship("pointer").slot
            try update(key, writer) { $0[0, slot] = .reference(key: target, entity: Int32(node.index)) }
        case .touch(let key): try update(key, writer) { _ in }
        case .refer(let name, let owner, let destination):
            try writer.setReference(
                try bench.relationship(name), owner: owner, entity: node.index, destination: destination)
        case .link(let name, let owner, let destinations):
            let relationship = try bench.relationship(name)
            try writer.setLinks(
                relationship, owner: owner, ownerEntity: node.index,
                to: destinations.map { Link(owner: owner, entity: relationship.destination, destination: $0) })
        case .delete(let key): try writer.delete(entity: node.index, keys: [key])
        }
    }

    /// Writes a row again, changed by `body` and with a higher version.
    private func update(
        _ key: Int64, _ writer: any StoreWriter, _ body: (inout RowBatch) throws -> Void
    ) throws {
        var batch = try backend.read(root: node.root, keys: [key])
        try #require(batch.rows.count == 1)
        batch.rows[0].version += 1
        try body(&batch)
        try writer.update(batch)
    }

    /// The changes of all transactions after a number as sorted texts: `update Node 1: name,parent`.
    func changes(after number: Int64 = 0) throws -> [String] {
        try backend.historyTransactions(after: number).flatMap(\.changes).map(text).sorted()
    }

    private func text(_ change: PersistentHistoryChange) -> String {
        let id = change.changedObjectID
        let entity = backend.schema.entities[id.entity]
        let object = "\(change.changeType) \(entity.name) \(id.key ?? 0)"
        guard let updated = change.updatedProperties else { return object }
        let count = entity.attributes.count + entity.relationships.count
        return "\(object): " + (updated.count == count ? "everything" : updated.joined(separator: ","))
    }
}

extension StoreBackend {
    func historyTransactions(
        after number: Int64, limit: Int = 100
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        let identity = StoreIdentity(identifier: identifier, schema: schema)
        return try historyTransactions(after: number, limit: limit, of: identity)
    }
}
