import Foundation
import GranaryBase
import GranaryModel

/// The stores of a coordinator, seen as one store for bulk work. Each hierarchy of entities is in one of them.
///
/// A transaction opens one in each store, inside each other; the innermost commits first, so a failure between two
/// commits leaves the outer stores unchanged. Import runs are recorded in the ledger of the first store.
final class RoutedStore: StoreBackend {
    let schema: Schema
    private let stores: [any StoreBackend]
    /// The index of the store of each entity.
    private let routes: [Int]

    /// - Parameters:
    ///   - stores: see the numbers of the whole schema; at least one.
    ///   - routes: the index of the store of each entity.
    init(_ schema: Schema, _ stores: [any StoreBackend], routes: [Int]) {
        self.schema = schema
        self.stores = stores
        self.routes = routes
    }

    private var first: any StoreBackend { stores[0] }

    private func store(_ entity: Int) -> any StoreBackend { stores[routes[entity]] }

    var identifier: String { first.identifier }
    var folder: String? { stores.lazy.compactMap(\.folder).first }
    var metadata: StoreMetadata { first.metadata }
    /// Only what all stores can do with one transaction over all of them.
    var capabilities: StoreCapabilities {
        stores.reduce([.exactDecimals, .nullCharacters]) { $0.intersection($1.capabilities) }
    }

    func mayRefuseRows() throws -> Bool { try stores.contains { try $0.mayRefuseRows() } }

    func read(entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool) throws {
        guard let entity = entities.first else { return }
        try store(entity).read(entities: entities, batchSize: batchSize, body)
    }

    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        guard let entity = entities.first else { return RowBatch() }
        return try store(entity).read(entities: entities, after: key, limit: limit)
    }

    /// Related objects are always in the same store.
    func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)? {
        try search.entities.first.flatMap { try store($0).prepare(search) }
    }

    func read(root: Int, keys: [Int64]) throws -> RowBatch { try store(root).read(root: root, keys: keys) }

    func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        try store(root).versions(root: root, keys: keys)
    }

    func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        try store(relationship.owner).readLinks(of: relationship, owners: owners, body)
    }

    func readStoredLinks(
        of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void
    ) throws {
        try store(relationship.owner).readStoredLinks(of: relationship, owners: owners, body)
    }

    func readBrokenLinks(of relationship: Schema.Relationship, _ body: (BrokenLink) throws -> Void) throws {
        try store(relationship.owner).readBrokenLinks(of: relationship, body)
    }

    func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int {
        try store(relationship.owner).oneSidedReferences(of: relationship)
    }

    func count(entity: Int) throws -> Int { try store(entity).count(entity: entity) }

    func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        try store(constraint.owner).keys(matching: constraint, in: batch, row: row)
    }

    func lastKey(root: Int) throws -> Int64 { try store(root).lastKey(root: root) }

    func reading<Result>(_ body: () throws -> Result) throws -> Result { try reading(stores[...], body) }

    private func reading<Result>(
        _ stores: ArraySlice<any StoreBackend>, _ body: () throws -> Result
    ) throws -> Result {
        guard let store = stores.first else { return try body() }
        return try store.reading { try reading(stores.dropFirst(), body) }
    }

    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try transaction(stores[...], [], body)
    }

    /// Recurses once for each store.
    private func transaction<Result>(
        _ stores: ArraySlice<any StoreBackend>, _ writers: [any StoreWriter],
        _ body: (any StoreWriter) throws -> Result
    ) throws -> Result {
        guard let store = stores.first else { return try body(Writer(schema, writers, routes: routes)) }
        return try store.transaction { try transaction(stores.dropFirst(), writers + [$0], body) }
    }

    func strayRows(read: [Int: Int]) throws(GranaryError) -> [(table: String, count: Int64)] {
        var found: [(table: String, count: Int64)] = []
        for store in stores { found += try store.strayRows(read: read) }
        return found
    }

    private final class Writer: BulkStoreWriter {
        private let schema: Schema
        private let writers: [any StoreWriter]
        private let routes: [Int]
        private var written = 0

        init(_ schema: Schema, _ writers: [any StoreWriter], routes: [Int]) {
            self.schema = schema
            self.writers = writers
            self.routes = routes
        }

        private func writer(_ entity: Int) -> any StoreWriter { writers[routes[entity]] }

        var writtenRows: Int { written }
        var bulk: (any BulkStoreWriter)? { bulkWriters.isEmpty ? nil : self }
        private var bulkWriters: [any BulkStoreWriter] { writers.compactMap(\.bulk) }
        var usedLoaders: Set<RowLoader> { bulkWriters.reduce(into: []) { $0.formUnion($1.usedLoaders) } }
        /// Nil, because no other store can use rows that are encoded for one store.
        var rowEncoder: (any RowEncoder)? { nil }

        func reserveKeys(root: Int, count: Int) throws -> Int64 {
            try writer(root).reserveKeys(root: root, count: count)
        }

        func reserveKeys(root: Int, through key: Int64) throws {
            try writer(root).reserveKeys(root: root, through: key)
        }

        func storeVersion() throws -> Int64 { try writers.reduce(0) { $0 &+ (try $1.storeVersion()) } }

        func importLedger() throws -> ImportLedger { try writers[0].importLedger() }

        func insert(_ batch: borrowing RowBatch) throws {
            try split(batch) { writer, part in try writer.insert(part) }
        }

        func update(_ batch: borrowing RowBatch) throws {
            try split(batch) { writer, part in try writer.update(part) }
        }

        /// Writes runs of rows that go into the same store, in order. Counts the rows before one that is refused.
        private func split(
            _ batch: borrowing RowBatch, _ write: (any StoreWriter, borrowing RowBatch) throws -> Void
        ) throws {
            var start = 0
            while start < batch.rows.count {
                let route = routes[Int(batch.rows[start].entity)]
                var end = start
                while end < batch.rows.count, routes[Int(batch.rows[end].entity)] == route { end += 1 }
                var part = copy batch
                part.rows = Array(batch.rows[start..<end])
                let before = writers[route].writtenRows
                defer { written += writers[route].writtenRows - before }
                try write(writers[route], part)
                start = end
            }
        }

        func raiseVersions(root: Int, keys: [Int64]) throws { try writer(root).raiseVersions(root: root, keys: keys) }

        func delete(entity: Int, keys: [Int64]) throws { try writer(entity).delete(entity: entity, keys: keys) }

        func setReference(
            _ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?
        ) throws {
            if destination != nil { try check(relationship, entity) }
            try writer(relationship.owner).setReference(
                relationship, owner: owner, entity: entity, destination: destination)
        }

        func setLinks(
            _ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]
        ) throws {
            for link in destinations { try check(relationship, link.entity) }
            try writer(relationship.owner).setLinks(
                relationship, owner: owner, ownerEntity: ownerEntity, to: destinations)
        }

        func addLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
            for link in links { try check(relationship, link.entity) }
            try writer(relationship.owner).insertLinks(relationship, links, ownerEntity: ownerEntity)
        }

        /// A relationship cannot lead from one store to another.
        private func check(_ relationship: Schema.Relationship, _ destination: Int) throws {
            guard routes[relationship.owner] != routes[destination] else { return }
            let (owner, other) = (schema.entities[relationship.owner], schema.entities[destination])
            throw GranaryError(
                Diagnostic(
                    .relationshipStores, "\(owner.name) and \(other.name) are in different stores", entity: owner.name,
                    property: relationship.name))
        }

        /// Rows of several stores are inserted by SQL.
        func use(_ loader: RowLoader?) throws {
            if loader == .pages { throw RowLoader.pagesError }
        }

        func expect(rows: Int) { for writer in bulkWriters { writer.expect(rows: rows) } }

        func deferIndexes() { for writer in bulkWriters { writer.deferIndexes() } }

        func suspendCounts(includingTimes: Bool) throws {
            for writer in bulkWriters { try writer.suspendCounts(includingTimes: includingTimes) }
        }

        func resumeCounts() throws { for writer in bulkWriters { try writer.resumeCounts() } }

        func completeIndexes() throws { for writer in bulkWriters { try writer.completeIndexes() } }

        func finishRows() throws { for writer in bulkWriters { try writer.finishRows() } }

        func completeOrder() throws { for writer in writers { try writer.completeOrder() } }

        func recordRun(_ run: ImportRun) throws { try writers[0].recordRun(run) }
    }
}

extension PersistentStoreCoordinator {
    /// Runs `body` with all stores as one, for bulk work. Nothing else writes to them meanwhile, or it reads a snapshot.
    ///
    /// `body` must not keep the store, and must not use the coordinator or a context of it.
    ///
    /// - Parameter forReading: whether `body` does not write. Contexts then keep the rows that they have read, and
    ///   nobody is told of a save.
    /// - Throws: ``GranaryError`` with code `usage` if there is no store, or no writable store for an entity that
    ///   `body` writes; `refused` to read if an entity has objects in several stores.
    package func withStore<Result>(
        forReading: Bool = false, _ body: (any StoreBackend) throws -> sending Result
    ) throws -> sending Result {
        let attached = persistentStores
        guard !attached.isEmpty else {
            throw GranaryError(.usage, "the container has no store; load one first")
        }
        // Rows that contexts have read may change.
        defer { if !forReading { noteUnlistedChanges() } }
        return try useAll(attached[...], forReading: forReading, []) { stores in
            // The name of the last context does not belong to bulk work.
            if !forReading { for store in stores { store.setAuthor(nil, contextName: nil) } }
            guard stores.count > 1 else { return try body(stores[0]) }
            var routes = Array(repeating: 0, count: schema.entities.count)
            for root in schema.entities where root.superentity == nil {
                let holding = attached.indices.filter { index in root.family.contains { attached[index].holds($0) } }
                let writable = forReading ? holding : holding.filter { !attached[$0].isReadOnly }
                let filled =
                    forReading
                    ? try holding.filter { index in
                        try root.family.contains { entity in
                            try attached[index].holds(entity) && stores[index].count(entity: entity) > 0
                        }
                    } : []
                guard filled.count < 2 else {
                    throw GranaryError(
                        .refused,
                        "\(root.name) has objects in \(filled.count) stores of the container; export each store file")
                }
                let route = filled.first ?? writable.first ?? holding.first ?? 0
                for entity in root.family { routes[entity] = route }
            }
            return try body(RoutedStore(schema, stores, routes: routes))
        }
    }

    /// Recurses once for each store.
    private func useAll<Result>(
        _ attached: ArraySlice<PersistentStore>, forReading: Bool, _ stores: [any StoreBackend],
        _ body: ([any StoreBackend]) throws -> sending Result
    ) throws -> sending Result {
        guard let next = attached.first else { return try body(stores) }
        func use(_ store: any StoreBackend) throws -> sending Result {
            try useAll(attached.dropFirst(), forReading: forReading, stores + [store], body)
        }
        return try forReading ? next.reading { try use($0) } : next.withLock { try use($0) }
    }
}
