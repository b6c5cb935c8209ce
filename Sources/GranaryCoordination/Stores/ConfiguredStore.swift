import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// Adapts a store that holds some entities of a model to the entity indexes of the whole model.
///
/// Slots are the same in both models, because the part includes an entity's ancestors.
final class ConfiguredStore: ForwardingStore {
    let base: any StoreBackend
    private let map: ConfigurationMap

    init(_ base: any StoreBackend, map: ConfigurationMap) {
        self.base = base
        self.map = map
    }

    var schema: Schema { map.whole }

    var readerFactory: StoreReaderFactory? {
        guard let open = base.readerFactory else { return nil }
        return { [map] in ConfiguredStore(try open(), map: map) }
    }

    func read(entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool) throws {
        guard let entities = map.inner(entities) else { return }
        try base.read(entities: entities, batchSize: batchSize) { batch in
            batch = map.outer(batch)
            return try body(&batch)
        }
    }

    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        guard let entities = map.inner(entities) else { return RowBatch() }
        return map.outer(try base.read(entities: entities, after: key, limit: limit))
    }

    func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)? {
        guard let entities = map.inner(search.entities) else { return nil }
        var inner = search
        inner.entities = entities
        // Predicates and orders name properties, so they mean the same in both models.
        return try base.prepare(inner).map { ConfiguredSearch(base: $0, map: map) }
    }

    func read(root: Int, keys: [Int64]) throws -> RowBatch {
        guard let root = map.inner(root) else { return RowBatch() }
        return map.outer(try base.read(root: root, keys: keys))
    }

    func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        try map.inner(root).map { try base.versions(root: $0, keys: keys) } ?? [:]
    }

    func readLinks(of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void) throws {
        guard let relationship = map.inner(relationship) else { return }
        try base.readLinks(of: relationship, owners: owners) { link in
            try body(Link(owner: link.owner, entity: map.outer(link.entity), destination: link.destination))
        }
    }

    func readStoredLinks(
        of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void
    ) throws {
        guard let relationship = map.inner(relationship) else { return }
        try base.readStoredLinks(of: relationship, owners: owners) { link in
            try body(Link(owner: link.owner, entity: map.outer(link.entity), destination: link.destination))
        }
    }

    func readBrokenLinks(of relationship: Schema.Relationship, _ body: (BrokenLink) throws -> Void) throws {
        if let relationship = map.inner(relationship) { try base.readBrokenLinks(of: relationship, body) }
    }

    func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int {
        try map.inner(relationship).map { try base.oneSidedReferences(of: $0) } ?? 0
    }

    func lastKey(root: Int) throws -> Int64 { try map.inner(root).map { try base.lastKey(root: $0) } ?? 0 }

    func count(entity: Int) throws -> Int { try map.inner(entity).map { try base.count(entity: $0) } ?? 0 }

    func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        guard let constraint = map.inner(constraint) else { return [] }
        return try base.keys(matching: constraint, in: map.inner(batch), row: row)
    }

    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try base.transaction { try body(Writer($0, map: map)) }
    }

    func transaction<Result>(
        recording run: String?, _ body: (any StoreWriter) throws -> Result
    ) throws -> Result {
        try base.transaction(recording: run) { try body(Writer($0, map: map)) }
    }

    func historyTransactions(
        after number: Int64, limit: Int, of identity: StoreIdentity
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        var transactions = try base.historyTransactions(after: number, limit: limit, of: identity)
        for place in transactions.indices {
            for change in transactions[place].changes.indices {
                let id = transactions[place].changes[change].changedObjectID
                transactions[place].changes[change].changedObjectID = ManagedObjectID(
                    origin: identity, entity: map.outer(id.entity), reference: id.reference)
            }
        }
        return transactions
    }

    private final class Writer: BulkStoreWriter {
        private let writer: any StoreWriter
        private let map: ConfigurationMap

        init(_ writer: any StoreWriter, map: ConfigurationMap) {
            self.writer = writer
            self.map = map
        }

        private func inner(_ entity: Int) throws(GranaryError) -> Int {
            guard let index = map.inner(entity) else { throw map.missing(entity) }
            return index
        }

        private func inner(_ relationship: Schema.Relationship) throws(GranaryError) -> Schema.Relationship {
            guard let found = map.inner(relationship) else { throw map.missing(relationship.owner) }
            return found
        }

        func reserveKeys(root: Int, count: Int) throws -> Int64 {
            try writer.reserveKeys(root: try inner(root), count: count)
        }

        func reserveKeys(root: Int, through key: Int64) throws {
            try writer.reserveKeys(root: try inner(root), through: key)
        }

        func insert(_ batch: borrowing RowBatch) throws { try writer.insert(try map.inner(batch)) }

        func update(_ batch: borrowing RowBatch) throws { try writer.update(try map.inner(batch)) }

        func raiseVersions(root: Int, keys: [Int64]) throws {
            try writer.raiseVersions(root: try inner(root), keys: keys)
        }

        func delete(entity: Int, keys: [Int64]) throws { try writer.delete(entity: try inner(entity), keys: keys) }

        var writtenRows: Int { writer.writtenRows }

        func storeVersion() throws -> Int64 { try writer.storeVersion() }

        var bulk: (any BulkStoreWriter)? { writer.bulk == nil ? nil : self }
        func deferIndexes() { writer.bulk?.deferIndexes() }
        func use(_ loader: RowLoader?) throws { try writer.bulk?.use(loader) }
        /// Nil, because encoded rows would contain the entity indexes of the whole model.
        var rowEncoder: (any RowEncoder)? { nil }
        var usedLoaders: Set<RowLoader> { writer.bulk?.usedLoaders ?? [] }
        func expect(rows: Int) { writer.bulk?.expect(rows: rows) }

        func suspendCounts(includingTimes: Bool) throws {
            try writer.bulk?.suspendCounts(includingTimes: includingTimes)
        }

        func resumeCounts() throws { try writer.bulk?.resumeCounts() }
        func completeIndexes() throws { try writer.bulk?.completeIndexes() }
        func finishRows() throws { try writer.bulk?.finishRows() }

        func importLedger() throws -> ImportLedger { try writer.importLedger() }

        func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?) throws {
            try writer.setReference(
                try inner(relationship), owner: owner, entity: try inner(entity), destination: destination)
        }

        func setLinks(
            _ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]
        ) throws {
            try writer.setLinks(
                try inner(relationship), owner: owner, ownerEntity: try inner(ownerEntity), to: try inner(destinations))
        }

        func addLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
            try writer.insertLinks(
                try inner(relationship), try inner(links), ownerEntity: try inner(ownerEntity))
        }

        private func inner(_ links: [Link]) throws(GranaryError) -> [Link] {
            try links.map { link throws(GranaryError) in
                Link(owner: link.owner, entity: try inner(link.entity), destination: link.destination)
            }
        }

        func completeOrder() throws { try writer.completeOrder() }

        func recordRun(_ run: ImportRun) throws { try writer.recordRun(run) }
    }
}

/// A search whose results have the entity indexes of the whole model.
private struct ConfiguredSearch: PreparedSearch {
    let base: any PreparedSearch
    let map: ConfigurationMap

    var rest: ObjectPredicate? { base.rest }
    var isOrdered: Bool { base.isOrdered }

    func read(
        limit: Int?, offset: Int, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        try base.read(limit: limit, offset: offset, batchSize: batchSize) { batch in
            batch = map.outer(batch)
            return try body(&batch)
        }
    }

    func count() throws -> Int { try base.count() }

    func keys(limit: Int?, offset: Int, _ body: (_ entity: Int, _ key: Int64) throws -> Bool) throws {
        try base.keys(limit: limit, offset: offset) { entity, key in try body(map.outer(entity), key) }
    }
}
