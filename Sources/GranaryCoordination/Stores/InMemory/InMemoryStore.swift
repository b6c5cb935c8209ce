import Foundation
import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// A store that keeps everything in memory. (`NSInMemoryStoreType`)
///
/// It behaves like the SQLite store: duplicate unique values are refused when they are written. But Decimals keep all
/// their digits.
package final class InMemoryStore: StoreBackend {
    package let schema: Schema
    package let identifier: String
    package var capabilities: StoreCapabilities { [.exactDecimals, .userMetadata, .nullCharacters] }

    package var state = InMemoryState()
    private var userEntries: [PropertyListEntry] = []
    /// The slots of derived attributes for each entity. SQLite stores compute them with triggers; here they are NULL.
    let derivedSlots: [[Int]]
    /// The persistent relationships of each entity.
    let links: [[LinkLayout]]

    package init(schema: Schema) {
        self.schema = schema
        identifier = UUID().uuidString
        derivedSlots = schema.entities.map { entity in
            entity.attributes.filter { $0.description.derivationExpression != nil }.map(\.slot)
        }
        links = schema.entities.map { entity in
            entity.relationships.filter(\.isPersistent).map { LinkLayout($0, schema: schema) }
        }
    }

    /// The contents of a store. Stores made from it share its storage until they are changed.
    package struct Contents: Sendable {
        package let schema: Schema
        fileprivate let identifier: String
        fileprivate let state: InMemoryState
        fileprivate let userEntries: [PropertyListEntry]
        fileprivate let derivedSlots: [[Int]]
        fileprivate let links: [[LinkLayout]]
    }

    /// The present contents, with the store's UUID.
    package var contents: Contents {
        Contents(
            schema: schema, identifier: identifier, state: state, userEntries: userEntries, derivedSlots: derivedSlots,
            links: links)
    }

    /// Creates a store with the contents of another one and its UUID.
    package init(_ contents: Contents) {
        schema = contents.schema
        identifier = contents.identifier
        state = contents.state
        userEntries = contents.userEntries
        derivedSlots = contents.derivedSlots
        links = contents.links
    }

    package var metadata: StoreMetadata {
        StoreMetadata(schema: schema, identifier: identifier, type: "InMemory").replacingUserEntries(with: userEntries)
    }

    package func setUserMetadata(_ entries: [PropertyListEntry]) throws { userEntries = entries }

    package func read(
        entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        guard let first = entities.first, schema.entities.indices.contains(first),
            let hierarchy = state.hierarchies[schema.entities[first].root]
        else { return }
        var batch = RowBatch()
        for key in hierarchy.keys {
            guard let row = hierarchy.rows[key], entities.contains(Int(row.entity)) else { continue }
            row.append(key: key, to: &batch)
            if batch.rows.count >= max(1, batchSize) || batch.bytes.count >= Self.batchBytes {
                guard try body(&batch) else { return }
                batch.removeAll()
            }
        }
        if !batch.isEmpty { _ = try body(&batch) }
    }

    package func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        var batch = RowBatch()
        guard let first = entities.first, schema.entities.indices.contains(first),
            let hierarchy = state.hierarchies[schema.entities[first].root]
        else { return batch }
        for next in hierarchy.keys[hierarchy.place(after: key)...] {
            guard batch.rows.count < limit, batch.bytes.count < Self.batchBytes else { break }
            guard let row = hierarchy.rows[next], entities.contains(Int(row.entity)) else { continue }
            row.append(key: next, to: &batch)
        }
        return batch
    }

    /// A batch is passed on when it reaches this many bytes, however few rows it has.
    private static let batchBytes = 8 << 20

    package func read(root: Int, keys: [Int64]) throws -> RowBatch {
        var batch = RowBatch()
        guard let hierarchy = state.hierarchies[root] else { return batch }
        for key in keys { hierarchy.rows[key]?.append(key: key, to: &batch) }
        return batch
    }

    package func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        guard relationship.isToMany, let links = state.links[LinkLayout.ID(relationship)] else { return }
        for owner in Set(owners ?? Array(links.keys)).sorted() {
            for entry in links[owner]?.entries ?? [] {
                try body(Link(owner: owner, entity: Int(entry.entity), destination: entry.key))
            }
        }
    }

    package func lastKey(root: Int) -> Int64 { state.hierarchies[root]?.lastKey ?? 0 }

    package func count(entity: Int) throws -> Int {
        guard schema.entities.indices.contains(entity) else { return 0 }
        return state.hierarchies[schema.entities[entity].root]?.rows.values.count { Int($0.entity) == entity } ?? 0
    }

    package func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        let entity = schema.entities[Int(batch.rows[row].entity)]
        let candidate = InMemoryRow(batch, row: row, slotCount: entity.slotCount)
        guard let content = content(of: candidate, constraint) else { return [] }
        return state.unique[constraint]?[content].map { [$0] } ?? []
    }

    /// The unique values of a row; nil if one of them is NULL.
    func content(of row: InMemoryRow, _ constraint: Schema.UniquenessConstraint) -> [UniqueContent]? {
        let entity = schema.entities[constraint.owner]
        var content: [UniqueContent] = []
        for property in constraint.properties {
            let slot =
                switch property {
                case .attribute(let index): entity.attributes[index].slot
                case .relationship(let index): entity.relationships[index].slot
                }
            guard let part = row.uniqueContent(slot: slot) else { return nil }
            content.append(part)
        }
        return content
    }

    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        let before = state
        do { return try body(InMemoryWriter(store: self)) } catch {
            state = before
            throw error
        }
    }
}

extension StoreLocation {
    /// A store in memory. It is discarded with its container. (`NSInMemoryStoreType`)
    public static let inMemory = StoreLocation(InMemoryStoreKind())
}

private struct InMemoryStoreKind: StoreKind {
    static let fileFormat: StoreFileFormat? = nil
    var url: URL? { nil }

    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend { InMemoryStore(schema: schema) }

    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend { InMemoryStore(schema: schema) }

    func metadata() throws(GranaryError) -> StoreMetadata { throw noFile() }

    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError) { throw noFile() }

    func destroy(timeout: Duration) throws(GranaryError) {}

    private func noFile() -> GranaryError {
        GranaryError(.usage, "a store in memory exists only while it is open")
    }
}
