import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Executes a fetch: finds the objects of a request in the stores and among the context's changes.
///
/// The stores evaluate predicate and order, unless the context has a parent or unsaved changes that can matter. Changed
/// objects are evaluated here, as they are in the context, and merged with the results of the stores; if other objects'
/// results can depend on the changes too, all objects are evaluated here.
struct FetchSearch {
    let request: FetchRequest<ManagedObject>
    let context: ManagedObjectContext
    let entity: Schema.Entity
    let entities: Range<Int>
    let stores: [PersistentStore]
    /// The checked predicate; nil for all objects.
    let predicate: ObjectPredicate?
    /// Where predicate and order are evaluated.
    let evaluation: Evaluation
    /// The predicate, if it is evaluated here.
    let condition: CompiledPredicate?
    let failure = SubjectFailure()

    enum Evaluation {
        case inStores
        /// Here for the objects with unsaved changes, in the stores for the others.
        case merged
        case inMemory
    }

    var batchSize: Int { request.fetchBatchSize > 0 ? request.fetchBatchSize : 500 }
    /// Whether the request has no order, so that the search can stop early.
    var isStreamed: Bool { request.sortDescriptors.isEmpty }
    var wanted: Int? { request.wanted }

    /// - Throws: ``GranaryError``: `refused` if there is no such entity; `usage` for an invalid predicate, order or key
    ///   path.
    init(_ request: FetchRequest<ManagedObject>, context: ManagedObjectContext) throws {
        self.request = request
        self.context = context
        let coordinator = context.persistentStoreCoordinator
        let schema = coordinator.schema
        let entity = try coordinator.entity(named: request.entityName ?? "")
        let entities = request.includesSubentities ? entity.family : entity.index..<entity.index + 1
        self.entity = entity
        self.entities = entities
        stores = coordinator.stores(holding: entities).filter { store in
            request.affectedStores?.contains(store.identity.identifier) ?? true
        }
        let resolver = PredicateResolver(schema: schema, entity: entity)
        var predicate = request.predicate
        if let given = predicate { predicate = try given == .constant(true) ? nil : resolver.resolve(given) }
        self.predicate = predicate
        try resolver.check(request.sortDescriptors)
        for path in request.relationshipKeyPathsForPrefetching {
            try FetchKeyPath.checkRelationships(path, entity: entity, schema: schema)
        }
        let scope = FetchScope(entities, predicate: predicate, order: request.sortDescriptors, schema: schema)
        let changes = request.includesPendingChanges ? scope.changes(in: context) : .none
        if context.parent != nil || scope.usesTransients || changes == .reached {
            evaluation = .inMemory
        } else if changes == .own {
            // A refresh needs the rows of all objects.
            evaluation = request.shouldRefreshRefetchedObjects ? .inMemory : .merged
        } else {
            evaluation = .inStores
        }
        condition = evaluation == .inStores ? nil : predicate.map { CompiledPredicate($0) }
    }

    /// Checks that stores can evaluate predicate and order, and these expressions.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a transient property.
    func checkIsStored(_ expressions: [ObjectExpression] = []) throws(GranaryError) {
        let check = TransientCheck(schema: context.persistentStoreCoordinator.schema, entity: entity)
        try check.check(search(order: request.sortDescriptors, limit: nil, offset: 0))
        for expression in expressions { try check.check(expression) }
    }

    // MARK: - Results

    func objects() throws -> [ManagedObject] {
        switch evaluation {
        case .inStores: return try storedObjects()
        case .merged: return try mergedObjects()
        case .inMemory: break
        }
        var found: [ManagedObject] = []
        try candidates { object in
            found.append(object)
            return !isStreamed || found.count != wanted
        }
        return request.window(try sorted(found))
    }

    func ids() throws -> [ManagedObjectID] {
        if evaluation == .inStores { return try storedIDs() }
        // Without an order each object can be released after it was checked.
        guard isStreamed else { return try objects().map(\.objectID) }
        if evaluation == .merged { return try mergedIDs() }
        var found: [ManagedObjectID] = []
        try candidates { object in
            found.append(object.objectID)
            return found.count != wanted
        }
        return request.window(found)
    }

    func count() throws -> Int {
        let isPlain = predicate == nil && context.parent == nil
        if !isPlain, evaluation == .merged { return try mergedIDs().count }
        guard isPlain || evaluation == .inStores else { return try ids().count }
        var count = 0
        for store in stores {
            let stored: Int = try context.reading(store) { store in
                try store.count(search(order: [], limit: nil, offset: 0))
            }
            count += stored
        }
        if isPlain, request.includesPendingChanges {
            count += context.inserted.count(where: isCounted)
            count -= context.deleted.count { isCounted($0) && !$0.isGoneFromStore && isOfStores($0) }
        }
        count = max(0, count - max(0, request.fetchOffset))
        return request.fetchLimit > 0 ? min(count, request.fetchLimit) : count
    }

    func enumerate(_ body: (ManagedObject) throws -> Void) throws {
        // Without pending changes, results may be deleted here already. Those that `body` deletes do not pass.
        let gone = request.includesPendingChanges ? [] : context.deleted
        guard isStreamed, context.parent == nil, evaluation == .inMemory || predicate == nil else {
            return try enumerate(try ids(), gone, body)
        }
        var place = 0
        let first = max(0, request.fetchOffset)
        try pagedCandidates { object in
            guard !object.isDeleted || gone.contains(object) else { return true }
            defer { place += 1 }
            if place >= first { try body(object) }
            return place + 1 != wanted
        }
    }

    private func enumerate(
        _ ids: [ManagedObjectID], _ gone: Set<ManagedObject>, _ body: (ManagedObject) throws -> Void
    ) throws {
        // Lookups do not find deleted objects, nor new ones by their temporary IDs when `body` has saved them.
        var known: [ManagedObjectID: ManagedObject] = [:]
        for object in gone where isCounted(object) { known[object.objectID] = object }
        if request.includesPendingChanges {
            for object in context.inserted where isCounted(object) { known[object.objectID] = object }
        }
        for start in stride(from: 0, to: ids.count, by: batchSize) {
            let part = Array(ids[start..<min(start + batchSize, ids.count)])
            let held = try prepared(part)
            // `body` may delete later objects.
            for object in try objects(with: part, known)
            where object.managedObjectContext === context && (!object.isDeleted || gone.contains(object)) {
                try body(object)
            }
            withExtendedLifetime(held) {}
        }
    }

    private func objects(
        with ids: [ManagedObjectID], _ known: [ManagedObjectID: ManagedObject]
    ) throws -> [ManagedObject] {
        if known.isEmpty { return try context.objects(with: ids) }
        var found: [ManagedObjectID: ManagedObject] = [:]
        for object in try context.objects(with: ids.filter { known[$0] == nil }) { found[object.objectID] = object }
        return ids.compactMap { known[$0] ?? found[$0] }
    }

    /// Reads what the request wants to be read together with the objects, and returns them if it did.
    private func prepared(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
        let paths = request.relationshipKeyPathsForPrefetching
        guard context.parent == nil, !paths.isEmpty || request.shouldRefreshRefetchedObjects else { return [] }
        var objects: [ManagedObject] = []
        for shared in try context.read(ids) {
            try context.prefetch(paths, from: shared)
            for row in context.rows(shared) {
                let object = context.object(for: row)
                if request.shouldRefreshRefetchedObjects { try context.refresh(object, with: row) }
                objects.append(object)
            }
        }
        return objects
    }

    // MARK: - Stores

    func search(order: [ObjectSortDescriptor], limit: Int?, offset: Int) -> StoreSearch {
        StoreSearch(entities: entities, predicate: predicate, order: order, limit: limit, offset: offset)
    }

    /// Calls `body` with each store and its search, in which the window of the request is applied as far as possible.
    ///
    /// - Parameter body: returns the number of results that it found.
    /// - Returns: whether the window was applied completely.
    private func searchStores(_ body: (PersistentStore, StoreSearch) throws -> Int) throws -> Bool {
        let order = request.sortDescriptors
        if stores.count == 1, let store = stores.first {
            let limit = request.fetchLimit > 0 ? request.fetchLimit : nil
            _ = try body(store, search(order: order, limit: limit, offset: max(0, request.fetchOffset)))
            return true
        }
        var left = wanted
        for store in stores where left != 0 {
            let count = try body(store, search(order: order, limit: left, offset: 0))
            // With an order the first results may be in any store.
            if isStreamed { left = left.map { max(0, $0 - count) } }
        }
        return false
    }

    /// Rows of one store, and their sort keys by primary key.
    struct FoundRows {
        let mark: ManagedObjectContext.ReadMark
        var batches: [RowBatch] = []
        var keys: [Int64: [AttributeValue?]] = [:]
    }

    /// Reads the rows that a store finds.
    ///
    /// - Parameter withKeys: whether to evaluate the sort keys too, for the results must be merged with others.
    func rows(of store: PersistentStore, _ search: StoreSearch, withKeys: Bool) throws -> FoundRows {
        let mark = context.readMark
        let size = batchSize
        let paths = withKeys ? sortPaths : []
        let (batches, keys) = try context.reading(store) { attached in
            let cache = RowSubject.Cache(attached)
            var batches: [RowBatch] = []
            var keys: [Int64: [AttributeValue?]] = [:]
            try attached.search(search, batchSize: size) { batch in
                let rows = copy batch
                for row in withKeys ? rows.rows.indices : 0..<0 {
                    let subject = RowSubject(cache: cache, batch: rows, row: row)
                    keys[subject.key] = try paths.map { try $0.value(on: subject).flatMap(\.attribute) }
                    try cache.check()
                }
                batches.append(rows)
                return true
            }
            return (batches, keys)
        }
        context.reserveRegistrations(batches.reduce(0) { $0 + $1.rows.count })
        return FoundRows(mark: mark, batches: batches, keys: keys)
    }

    private func storedObjects() throws -> [ManagedObject] {
        // The results of several stores are sorted by what the stores have, as each of them sorts.
        let withKeys = stores.count > 1 && !isStreamed
        var found: [ManagedObject] = []
        var keys: [[AttributeValue?]] = []
        let isWindowed = try searchStores { store, search in
            let start = found.count
            // Objects are created outside the store's lock, because their initialisers may use the context.
            let rows = try rows(of: store, search, withKeys: withKeys)
            found.reserveCapacity(start + rows.batches.reduce(0) { $0 + $1.rows.count })
            for batch in rows.batches {
                try take(batch, of: store, read: rows.mark, creates: { _ in true }) { object, _ in
                    found.append(object)
                    if withKeys { keys.append(object.objectID.key.flatMap { rows.keys[$0] } ?? []) }
                    return true
                }
            }
            return found.count - start
        }
        if isWindowed { return found }
        return request.window(withKeys ? ordered(found, by: keys) : found)
    }

    private func storedIDs() throws -> [ManagedObjectID] {
        // With several stores, primary keys do not determine the common order, so the objects are sorted.
        guard isStreamed || stores.count <= 1 else { return try storedObjects().map(\.objectID) }
        var found: [ManagedObjectID] = []
        let isWindowed = try searchStores { store, search in
            let keys = try context.reading(store) { try $0.keys(search) }
            found.reserveCapacity(found.count + keys.count)
            for key in keys {
                found.append(ManagedObjectID(origin: store.identity, entity: key.entity, key: key.key))
            }
            return keys.count
        }
        return isWindowed ? found : request.window(found)
    }

    /// Calls `body` with the object of each row, and the row if it is current; `body` returns false to stop.
    ///
    /// - Parameters:
    ///   - refreshes: whether to look a row up again if somebody has saved since it was read. `body` may save. Otherwise
    ///     the results are those that the store found in one state.
    ///   - creates: whether to create the object of a row that no object is registered for.
    /// - Returns: false if `body` stopped.
    @discardableResult
    func take(
        _ batch: RowBatch, of store: PersistentStore, read mark: ManagedObjectContext.ReadMark, refreshes: Bool = false,
        creates: (StoredRow) throws -> Bool, _ body: (ManagedObject, StoredRow?) throws -> Bool
    ) throws -> Bool {
        let shared = try context.share(batch, of: store, read: mark)
        if !request.relationshipKeyPathsForPrefetching.isEmpty {
            try context.prefetch(request.relationshipKeyPathsForPrefetching, from: shared)
        }
        for index in batch.rows.indices {
            let row = context.row(shared, index)
            if let known = context.registeredObject(for: row.id) {
                let object = context.updated(known, with: row)
                if request.shouldRefreshRefetchedObjects { try context.refresh(object, with: row) }
                guard try body(object, row) else { return false }
            } else if refreshes, !context.isFresh(row) {
                guard let object = try context.lookUpObject(with: row.id) else { continue }
                guard try body(object, nil) else { return false }
            } else if try creates(row) {
                // The hooks of other objects run in `creates` and may have registered it.
                let isNew = evaluation == .inStores || context.registeredObject(for: row.id) == nil
                let object = isNew ? context.makeUnregistered(row) : context.object(for: row)
                guard try body(object, row) else { return false }
            }
        }
        return true
    }
}
