import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Evaluates a request on the objects as they are in the context.
extension FetchSearch {
    /// Calls `body` with each matching object, stored objects first; `body` returns false to stop.
    func candidates(_ body: (ManagedObject) throws -> Bool) throws {
        if let parent = context.parent {
            var all = FetchRequest(entity.name)
            all.includesSubentities = request.includesSubentities
            all.affectedStores = request.affectedStores
            all.shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
            if !context.hasObjectChanges, !context.registeredObjects.contains(where: { isCounted($0) && !$0.isFault }) {
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
                let filter = FetchRowFilter(predicate, entity: entity)
                let identity = store.identity
                let batches = try context.reading(store) { attached in
                    let cache = RowSubject.Cache(attached)
                    var batches: [RowBatch] = []
                    var count = 0
                    try attached.read(entities: entities, batchSize: batchSize) { batch in
                        count += batch.rows.count
                        let kept = try filter.kept(copy batch, cache) { entity, key in
                            // The values of registered objects may differ from the row.
                            let id = ManagedObjectID(origin: identity, entity: entity, key: key)
                            return context.registeredObject(for: id) != nil
                        }
                        if !kept.isEmpty { batches.append(kept) }
                        return limit.map { count < $0 } ?? true
                    }
                    return batches
                }
                for batch in batches where try !offer(batch, of: store, read: mark, refreshes: false, body) { return }
            }
        }
        try offerNew(body)
    }

    /// Like `candidates(_:)`, with only one batch of rows in memory.
    func pagedCandidates(_ body: (ManagedObject) throws -> Bool) throws {
        for store in stores {
            // The count is fixed first: objects that `body` inserts and saves would make the loop endless.
            var rest = try context.reading(store) { store in try entities.reduce(0) { try $0 + store.count(entity: $1) } }
            var last = Int64.min
            while rest > 0 {
                let mark = context.readMark
                let limit = min(batchSize, rest)
                let batch = try context.reading(store) { try $0.read(entities: entities, after: last, limit: limit) }
                guard let end = batch.rows.last?.key else { break }
                guard try offer(batch, of: store, read: mark, refreshes: true, body) else { return }
                last = end
                rest -= batch.rows.count
            }
        }
        try offerNew(body)
    }

    /// Returns false to stop.
    private func offer(
        _ batch: RowBatch, of store: PersistentStore, read mark: ManagedObjectContext.ReadMark, refreshes: Bool,
        _ body: (ManagedObject) throws -> Bool
    ) throws -> Bool {
        var isChecked = false
        // No objects are created for rows that do not match.
        let matches = { (row: StoredRow) throws -> Bool in
            isChecked = try holds(StoredSubject(row: row, context: context, failure: failure))
            return isChecked
        }
        return try take(batch, of: store, read: mark, refreshes: refreshes, creates: matches) { object, row in
            defer { isChecked = false }
            return try isChecked ? body(object) : offer(object, row, body)
        }
    }

    private func offer(
        _ object: ManagedObject, _ row: StoredRow?, _ body: (ManagedObject) throws -> Bool
    ) throws -> Bool {
        if request.includesPendingChanges || row == nil {
            guard try matches(object) else { return true }
        } else if let row {
            guard try holds(StoredSubject(row: row, context: context, failure: failure)) else { return true }
        }
        return try body(object)
    }

    /// Whether an object matches with its values in the context.
    func matches(_ object: ManagedObject) throws -> Bool {
        guard !object.isDeleted else { return false }
        if condition != nil, try !fire(object) { return false }
        return try holds(ObjectSubject(object: object, failure: failure))
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

    func isCounted(_ object: ManagedObject) -> Bool {
        entities.contains(object.layout.index) && isOfStores(object)
    }

    func isOfStores(_ object: ManagedObject) -> Bool {
        guard let affected = request.affectedStores else { return true }
        guard let identifier = object.objectID.storeIdentifier ?? context.storeIdentifier(forNew: object) else {
            return false
        }
        return affected.contains(identifier)
    }

    func holds(_ subject: some PredicateSubject) throws -> Bool {
        guard let condition else { return true }
        let outcome = condition.outcome(on: subject)
        try failure.check()
        return try outcome.holds
    }

    // MARK: - Order

    /// The prepared key paths of the order.
    var sortPaths: [CompiledExpression] { request.sortDescriptors.map { CompiledExpression(.keyPath($0.keyPath)) } }

    /// The sort keys of an object with its values in the context.
    func sortKeys(of object: ManagedObject, _ paths: [CompiledExpression]) throws -> [AttributeValue?] {
        let subject = ObjectSubject(object: object, failure: failure)
        let keys = try paths.map { try $0.value(on: subject).flatMap(\.attribute) }
        try failure.check()
        return keys
    }

    /// Sorts objects by their values in the context; objects with equal keys stay in order.
    func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        guard !isStreamed else { return objects }
        let paths = sortPaths
        var keys: [[AttributeValue?]] = []
        keys.reserveCapacity(objects.count)
        for object in objects { keys.append(try sortKeys(of: object, paths)) }
        return ordered(objects, by: keys)
    }

    /// Sorts objects by their sort keys; objects with equal keys stay in order.
    func ordered(_ objects: [ManagedObject], by keys: [[AttributeValue?]]) -> [ManagedObject] {
        let order = SortOrder(request.sortDescriptors)
        return objects.indices.sorted { left, right in
            let result = order.order(keys[left], keys[right])
            return result != 0 ? result < 0 : left < right
        }.map { objects[$0] }
    }
}
