import GranaryBase
import GranaryCoordination
import GranaryModel

/// Executes a fetch: finds the objects of a request in the stores and among the context's changes.
///
/// The stores evaluate predicate and order, unless the context has a parent or unsaved changes that can matter: then
/// both are evaluated here, on the objects as they are in the context.
struct FetchSearch {
    let request: FetchRequest<ManagedObject>
    let context: ManagedObjectContext
    let entity: Schema.Entity
    let entities: Range<Int>
    let stores: [AttachedStore]
    /// The checked predicate; nil for all objects.
    let predicate: ObjectPredicate?
    /// Whether the predicate and the order are evaluated here.
    private let isInMemory: Bool
    /// The predicate, if it is evaluated here.
    private let condition: CompiledPredicate?
    private let failure = SubjectFailure()

    private var batchSize: Int { request.fetchBatchSize > 0 ? request.fetchBatchSize : 500 }
    /// Whether the request has no order, so that the search can stop early.
    private var isStreamed: Bool { request.sortDescriptors.isEmpty }
    private var wanted: Int? { request.wanted }

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
        if context.parent != nil {
            isInMemory = true
        } else {
            let scope = FetchScope(entities, predicate: predicate, order: request.sortDescriptors, schema: schema)
            isInMemory = scope.usesTransients || (request.includesPendingChanges && scope.hasChanges(in: context))
        }
        condition = isInMemory ? predicate.map { CompiledPredicate($0) } : nil
    }

    // MARK: - Results

    func objects() throws -> [ManagedObject] {
        guard isInMemory else { return try storedObjects() }
        var found: [ManagedObject] = []
        try candidates { object in
            found.append(object)
            return !isStreamed || found.count != wanted
        }
        return request.window(try sorted(found))
    }

    func ids() throws -> [ManagedObjectID] {
        guard isInMemory else { return try storedIDs() }
        // Without an order each object can be released after it was checked.
        guard isStreamed else { return try objects().map(\.objectID) }
        var found: [ManagedObjectID] = []
        try candidates { object in
            found.append(object.objectID)
            return found.count != wanted
        }
        return request.window(found)
    }

    func count() throws -> Int {
        let isPlain = predicate == nil && context.parent == nil
        guard isPlain || !isInMemory else { return try ids().count }
        var count = 0
        for store in stores {
            let stored: Int = try store.withLock { store in
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
        guard isStreamed, context.parent == nil, isInMemory || predicate == nil else {
            return try enumerate(try ids(), body)
        }
        var place = 0
        let first = max(0, request.fetchOffset)
        try pagedCandidates { object in
            defer { place += 1 }
            if place >= first { try body(object) }
            return place + 1 != wanted
        }
    }

    private func enumerate(_ ids: [ManagedObjectID], _ body: (ManagedObject) throws -> Void) throws {
        for start in stride(from: 0, to: ids.count, by: batchSize) {
            let part = Array(ids[start..<min(start + batchSize, ids.count)])
            let held = try prepared(part)
            // `body` may delete later objects.
            for object in try context.objects(with: part)
            where object.managedObjectContext === context && !object.isDeleted {
                try body(object)
            }
            withExtendedLifetime(held) {}
        }
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
    private func searchStores(_ body: (AttachedStore, StoreSearch) throws -> Int) throws -> Bool {
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

    private func storedObjects() throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        let isWindowed = try searchStores { store, search in
            let start = found.count
            // Objects are created outside the store's lock, because their initialisers may use the context.
            let mark = context.readMark
            let size = batchSize
            let batches = try store.withLock { store in
                var batches: [RowBatch] = []
                try store.search(search, batchSize: size) { batch in
                    batches.append(copy batch)
                    return true
                }
                return batches
            }
            let count = batches.reduce(0) { $0 + $1.rows.count }
            found.reserveCapacity(start + count)
            context.reserveRegistrations(count)
            for batch in batches {
                try take(batch, of: store, read: mark, creates: { _ in true }) { object, _ in
                    found.append(object)
                    return true
                }
            }
            return found.count - start
        }
        return isWindowed ? found : request.window(try sorted(found))
    }

    private func storedIDs() throws -> [ManagedObjectID] {
        // The keys of several stores do not tell their common order.
        guard isStreamed || stores.count <= 1 else { return try storedObjects().map(\.objectID) }
        var found: [ManagedObjectID] = []
        let isWindowed = try searchStores { store, search in
            let keys = try store.withLock { try $0.keys(search) }
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
    /// - Parameter creates: whether to create the object of a row that no object is registered for.
    /// - Returns: false if `body` stopped.
    @discardableResult
    private func take(
        _ batch: RowBatch, of store: AttachedStore, read mark: ManagedObjectContext.ReadMark,
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
            } else if !context.isFresh(row) {
                // `body` may have saved, so the row may be stale.
                guard let object = try context.lookUpObject(with: row.id) else { continue }
                guard try body(object, nil) else { return false }
            } else if try creates(row) {
                // The hooks of other objects run in `creates` and may have registered it.
                let isNew = condition == nil || context.registeredObject(for: row.id) == nil
                let object = isNew ? context.makeUnregistered(row) : context.object(for: row)
                guard try body(object, row) else { return false }
            }
        }
        return true
    }

    // MARK: - Candidates in memory

    /// Calls `body` with each matching object, stored objects first; `body` returns false to stop.
    private func candidates(_ body: (ManagedObject) throws -> Bool) throws {
        if let parent = context.parent {
            var all = FetchRequest(entity.name)
            all.includesSubentities = request.includesSubentities
            all.affectedStores = request.affectedStores
            all.shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
            if !context.hasChanges, !context.registeredObjects.contains(where: { isCounted($0) && !$0.isFault }) {
                // No object of the entity has values here, so the parent can evaluate the predicate.
                all.predicate = request.predicate
                if isStreamed { all.fetchLimit = wanted ?? 0 }
            }
            for original in try parent.fetch(all) {
                let object = context.object(like: original)
                if request.shouldRefreshRefetchedObjects { try context.refresh(object, mergeChanges: true) }
                guard try offer(object, nil, body) else { return }
            }
        } else {
            for store in stores {
                // Objects are created outside the store's lock, because their hooks may use the context.
                let limit = predicate == nil && isStreamed && context.deleted.isEmpty ? wanted : nil
                let mark = context.readMark
                let batches = try store.withLock { store in
                    var batches: [RowBatch] = []
                    var count = 0
                    try store.read(entities: entities, batchSize: batchSize) { batch in
                        batches.append(copy batch)
                        count += batch.rows.count
                        return limit.map { count < $0 } ?? true
                    }
                    return batches
                }
                for batch in batches where try !offer(batch, of: store, read: mark, body) { return }
            }
        }
        try offerNew(body)
    }

    /// Like `candidates(_:)`, with only one batch of rows in memory.
    private func pagedCandidates(_ body: (ManagedObject) throws -> Bool) throws {
        for store in stores {
            // The count is fixed first: objects that `body` inserts and saves would make the loop endless.
            var rest = try store.withLock { store in try entities.reduce(0) { try $0 + store.count(entity: $1) } }
            var last = Int64.min
            while rest > 0 {
                let mark = context.readMark
                let limit = min(batchSize, rest)
                let batch = try store.withLock { try $0.read(entities: entities, after: last, limit: limit) }
                guard let end = batch.rows.last?.key else { break }
                guard try offer(batch, of: store, read: mark, body) else { return }
                last = end
                rest -= batch.rows.count
            }
        }
        try offerNew(body)
    }

    /// Returns false to stop.
    private func offer(
        _ batch: RowBatch, of store: AttachedStore, read mark: ManagedObjectContext.ReadMark,
        _ body: (ManagedObject) throws -> Bool
    ) throws -> Bool {
        var isChecked = false
        // No objects are created for rows that do not match.
        let matches = { (row: StoredRow) throws -> Bool in
            isChecked = try holds(StoredSubject(row: row, context: context, failure: failure))
            return isChecked
        }
        return try take(batch, of: store, read: mark, creates: matches) { object, row in
            defer { isChecked = false }
            return try isChecked ? body(object) : offer(object, row, body)
        }
    }

    private func offer(
        _ object: ManagedObject, _ row: StoredRow?, _ body: (ManagedObject) throws -> Bool
    ) throws -> Bool {
        if request.includesPendingChanges || row == nil {
            guard !object.isDeleted else { return true }
            if condition != nil, try !fire(object) { return true }
            guard try holds(ObjectSubject(object: object, failure: failure)) else { return true }
        } else if let row {
            guard try holds(StoredSubject(row: row, context: context, failure: failure)) else { return true }
        }
        return try body(object)
    }

    /// Returns false if the object was deleted in the store since its row was read.
    private func fire(_ object: ManagedObject) throws -> Bool {
        do { try object.fire() } catch let error as GranaryError where error.isObjectGone { return false }
        return true
    }

    private func offerNew(_ body: (ManagedObject) throws -> Bool) throws {
        guard request.includesPendingChanges else { return }
        let new = context.inserted.filter(isCounted).sorted { $0.insertionNumber < $1.insertionNumber }
        for object in new where try !offer(object, nil, body) { return }
    }

    private func isCounted(_ object: ManagedObject) -> Bool {
        entities.contains(object.layout.index) && isOfStores(object)
    }

    private func isOfStores(_ object: ManagedObject) -> Bool {
        guard let affected = request.affectedStores else { return true }
        guard let identifier = object.objectID.storeIdentifier ?? context.storeIdentifier(forNew: object) else {
            return false
        }
        return affected.contains(identifier)
    }

    private func holds(_ subject: some PredicateSubject) throws -> Bool {
        guard let condition else { return true }
        let outcome = condition.outcome(on: subject)
        try failure.check()
        switch outcome {
        case .holds: return true
        case .fails: return false
        case .limitReached: throw GranaryError.patternLimit
        }
    }

    /// Sorts objects by their values in the context; objects with equal keys stay in order.
    private func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        guard !isStreamed else { return objects }
        let paths = request.sortDescriptors.map { CompiledExpression(.keyPath($0.keyPath)) }
        var keys: [[AttributeValue?]] = []
        keys.reserveCapacity(objects.count)
        for object in objects {
            let subject = ObjectSubject(object: object, failure: failure)
            keys.append(paths.map { $0.value(on: subject).flatMap(\.attribute) })
            try failure.check()
        }
        let order = SortOrder(request.sortDescriptors)
        return objects.indices.sorted { left, right in
            let result = order.order(keys[left], keys[right])
            return result != 0 ? result < 0 : left < right
        }.map { objects[$0] }
    }
}
