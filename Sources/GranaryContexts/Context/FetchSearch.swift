import GranaryBase
import GranaryCoordination
import GranaryModel

/// Executes a fetch: finds the objects of a request in the stores and among the context's changes.
struct FetchSearch {
    let request: FetchRequest
    let context: ManagedObjectContext
    let entities: Range<Int>
    let stores: [AttachedStore]
    private let failure = SubjectFailure()

    private var batchSize: Int { request.fetchBatchSize > 0 ? request.fetchBatchSize : 500 }
    /// Whether the request has no order, so that the search can stop early.
    private var isStreamed: Bool { request.sortDescriptors.isEmpty }
    /// The number of objects to find, including the offset; nil for all.
    private var wanted: Int? {
        guard request.fetchLimit > 0 else { return nil }
        let (sum, overflow) = max(0, request.fetchOffset).addingReportingOverflow(request.fetchLimit)
        return overflow ? nil : sum
    }

    init(_ request: FetchRequest, context: ManagedObjectContext) throws {
        self.request = request
        self.context = context
        let coordinator = context.persistentStoreCoordinator
        let entity = try coordinator.entity(named: request.entityName)
        entities = request.includesSubentities ? entity.family : entity.index..<entity.index + 1
        stores = coordinator.stores(holding: entities).filter { store in
            request.affectedStores?.contains(store.identity.identifier) ?? true
        }
        if let predicate = request.predicate, predicate.isTooDeep {
            throw GranaryError(
                .usage, "the predicate is nested deeper than the limit of \(ObjectPredicate.depthLimit)")
        }
        for path in request.predicate?.keyPaths ?? [] {
            try FetchKeyPath.check(path, entity: entity, schema: coordinator.schema)
        }
        for path in request.sortDescriptors.map(\.keyPath) {
            try FetchKeyPath.check(path, entity: entity, schema: coordinator.schema, isOrder: true)
        }
        for path in request.relationshipKeyPathsForPrefetching {
            try FetchKeyPath.checkRelationships(path, entity: entity, schema: coordinator.schema)
        }
    }

    func objects() throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        try candidates { object in
            found.append(object)
            return !isStreamed || found.count != wanted
        }
        return window(try sorted(found))
    }

    func ids() throws -> [ManagedObjectID] {
        // Without an order each object can be released after it was checked.
        guard isStreamed else { return try objects().map(\.objectID) }
        var found: [ManagedObjectID] = []
        try candidates { object in
            found.append(object.objectID)
            return found.count != wanted
        }
        return window(found)
    }

    func count() throws -> Int {
        guard request.predicate == nil, context.parent == nil else { return try ids().count }
        var count = 0
        for store in stores {
            count += try store.withLock { store in try entities.reduce(0) { try $0 + store.count(entity: $1) } }
        }
        if request.includesPendingChanges {
            count += context.inserted.count(where: isCounted)
            count -= context.deleted.count { isCounted($0) && !$0.isGoneFromStore && isOfStores($0) }
        }
        count = max(0, count - max(0, request.fetchOffset))
        return request.fetchLimit > 0 ? min(count, request.fetchLimit) : count
    }

    func enumerate(_ body: (ManagedObject) throws -> Void) throws {
        guard isStreamed, context.parent == nil else {
            let ids = try ids()
            for start in stride(from: 0, to: ids.count, by: batchSize) {
                let part = Array(ids[start..<min(start + batchSize, ids.count)])
                // `body` may delete later objects.
                for object in try context.objects(with: part)
                where object.managedObjectContext === context && !object.isDeleted {
                    try body(object)
                }
            }
            return
        }
        var place = 0
        let first = max(0, request.fetchOffset)
        try pagedCandidates { object in
            defer { place += 1 }
            if place >= first { try body(object) }
            return place + 1 != wanted
        }
    }

    // MARK: - Candidates

    /// Calls `body` with each matching object, stored objects first; `body` returns false to stop.
    private func candidates(_ body: (ManagedObject) throws -> Bool) throws {
        if let parent = context.parent {
            var all = FetchRequest(request.entityName)
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
                let limit = request.predicate == nil && isStreamed && !hasDeletions ? wanted : nil
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

    private var hasDeletions: Bool { !context.deleted.isEmpty }

    /// Returns false to stop.
    private func offer(
        _ batch: RowBatch, of store: AttachedStore, read mark: ManagedObjectContext.ReadMark,
        _ body: (ManagedObject) throws -> Bool
    ) throws -> Bool {
        let shared = try context.share(batch, of: store, read: mark)
        if !request.relationshipKeyPathsForPrefetching.isEmpty {
            try context.prefetch(request.relationshipKeyPathsForPrefetching, from: shared)
        }
        for index in batch.rows.indices {
            let row = context.row(shared, index)
            // `body` may have saved, so the row may be stale.
            if context.registeredObject(for: row.id) == nil, !context.isFresh(row) {
                guard let object = try context.lookUpObject(with: row.id) else { continue }
                guard try offer(object, nil, body) else { return false }
            } else if context.registeredObject(for: row.id) == nil {
                // No objects are created for rows that do not match.
                guard try holds(StoredSubject(row: row, context: context, failure: failure)) else { continue }
                guard try body(context.object(for: row)) else { return false }
            } else {
                let object = context.object(for: row)
                if request.shouldRefreshRefetchedObjects { try context.refresh(object, with: row) }
                guard try offer(object, row, body) else { return false }
            }
        }
        return true
    }

    private func offer(
        _ object: ManagedObject, _ row: StoredRow?, _ body: (ManagedObject) throws -> Bool
    ) throws -> Bool {
        if request.includesPendingChanges || row == nil {
            guard !object.isDeleted else { return true }
            if request.predicate != nil, try !fire(object) { return true }
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
        guard let predicate = request.predicate else { return true }
        let holds = predicate.evaluate(on: subject)
        if let error = failure.error { throw error }
        return holds
    }

    // MARK: - Order and window

    private func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        guard !request.sortDescriptors.isEmpty else { return objects }
        let keyed = try objects.map { object in
            (object, try request.sortDescriptors.map { try FetchKeyPath.value($0.keyPath, of: object) })
        }
        return keyed.enumerated().sorted { left, right in
            for (place, descriptor) in request.sortDescriptors.enumerated() {
                let order = FetchKeyPath.order(left.element.1[place], right.element.1[place])
                if order != 0 { return descriptor.isAscending ? order < 0 : order > 0 }
            }
            return left.offset < right.offset
        }.map(\.element.0)
    }

    private func window<Element>(_ elements: [Element]) -> [Element] {
        let rest = elements.dropFirst(max(0, request.fetchOffset))
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }
}
