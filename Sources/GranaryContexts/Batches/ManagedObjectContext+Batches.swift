import GranaryBase
public import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Batch requests. Each runs in one transaction of each store that it changes, which a store with a history records
/// with the context's name and author.
///
/// Contexts keep the values that they have read. To update them, merge the result of a request with the result type
/// `objectIDs`; the others do not tell which objects they changed:
/// ```swift
/// request.resultType = .objectIDs
/// let result = try context.execute(request)
/// try ManagedObjectContext.mergeChanges(from: result.changes, into: [context])
/// ```
extension ManagedObjectContext {
    /// Inserts the objects of a request. Nothing is inserted if one of them is invalid.
    ///
    /// - Throws: ``GranaryError``: `usage` for an unknown, transient or derived attribute, and for a relationship;
    ///   `refused` with a diagnostic for every broken rule, for an abstract entity, and if no writable store holds the
    ///   entity; any error of the store or of the request's handler.
    @discardableResult
    public func execute(_ request: BatchInsertRequest) throws -> BatchResult {
        let entity = try persistentStoreCoordinator.layout(named: request.entityName).entity
        let stores = persistentStoreCoordinator.stores(holding: entity.index..<entity.index + 1).filter { store in
            !store.isReadOnly && request.affectedStores?.contains(store.identifier) ?? true
        }
        guard let store = stores.first else {
            throw persistentStoreCoordinator.noStore(for: entity)
        }
        return try run(.insertion, on: [store], request.resultType) { run in
            try BatchInsertion(entity: entity, run: run).execute(request.start())
        }
    }

    /// Updates the objects of a request. Nothing is updated in a store if one of its objects becomes invalid.
    ///
    /// An expression is evaluated on the object as it was before the request. The entities and keys of the objects are
    /// kept in memory, and the new values only if an expression reads other objects of the entity's hierarchy, or if a
    /// unique attribute gets different values.
    ///
    /// - Throws: ``GranaryError``: `usage` for an invalid predicate or expression, one that uses a transient property,
    ///   a property that is not a stored attribute, and a read-only store among those to change; `refused` with a
    ///   diagnostic for every broken rule; any error of the store.
    @discardableResult
    public func execute(_ request: BatchUpdateRequest) throws -> BatchResult {
        try requireStores()
        var fetch = FetchRequest(request.entityName, where: request.predicate)
        fetch.includesSubentities = request.includesSubentities
        fetch.affectedStores = request.affectedStores
        fetch.includesPendingChanges = false
        let search = try FetchSearch(fetch, context: self)
        let update = try BatchUpdate(request, search: search, schema: persistentStoreCoordinator.schema)
        return try run(.update, on: search.stores, request.resultType) { run in
            try update.execute(search.search(order: [], limit: nil, offset: 0), run)
        }
    }

    /// Deletes the objects of a request. Nothing is deleted in a store if a rule forbids it.
    ///
    /// The keys of the deleted objects and their links are kept in memory.
    ///
    /// - Throws: ``GranaryError``: `usage` for an invalid predicate, for a transient property in predicate or order,
    ///   for an order or a limit over several stores, and for a read-only store among those to change; `refused` with a
    ///   diagnostic for every rule that forbids the deletion; any error of the store.
    @discardableResult
    public func execute(_ request: BatchDeleteRequest) throws -> BatchResult {
        var fetch = try named(request.fetchRequest)
        fetch.includesPendingChanges = false
        let search = try FetchSearch(fetch, context: self)
        try search.checkIsStored()
        let limit = fetch.fetchLimit > 0 ? fetch.fetchLimit : nil
        let offset = max(0, fetch.fetchOffset)
        guard search.stores.count <= 1 || (limit == nil && offset == 0) else {
            throw GranaryError(.usage, "a batch deletion with a limit or an offset needs a single store")
        }
        return try run(.deletion, on: search.stores, request.resultType) { run in
            let found = search.search(order: fetch.sortDescriptors, limit: limit, offset: offset)
            var deletion = BatchDeletion(run)
            return try deletion.execute(try run.store.keys(found))
        }
    }

    private enum BatchKind {
        case insertion, update, deletion
    }

    /// Runs `body` in a transaction of each store.
    private func run(
        _ kind: BatchKind, on stores: [PersistentStore], _ resultType: BatchResultType, _ body: (BatchRun) throws -> BatchResult
    ) throws -> BatchResult {
        let start = ContinuousClock.now
        try checkMayWrite()
        if let store = stores.first(where: \.isReadOnly) {
            throw GranaryError(
                .usage, "the store \(store.identifier) is read-only; name the stores to change in affectedStores")
        }
        var result = BatchResult()
        for store in stores {
            let part: BatchResult = try store.withLock { attached in
                attached.setAuthor(transactionAuthor, contextName: name)
                var part = try attached.transaction { writer in
                    try body(
                        BatchRun(
                            store: attached, writer: writer, identity: store.identity,
                            returnsIDs: resultType == .objectIDs))
                }
                if part.count > 0, let last = attached.lastRecordedTransaction {
                    part.changes.historyToken = PersistentHistoryToken(transactionNumbers: [attached.identifier: last])
                }
                return part
            }
            // Rows that contexts have read are stale now.
            if part.count > 0 { persistentStoreCoordinator.noteUnlistedChanges() }
            result.add(part)
        }
        persistentStoreCoordinator.observer?.didSave(
            ExecutedSave(
                inserted: kind == .insertion ? result.count : 0, updated: kind == .update ? result.count : 0,
                deleted: kind == .deletion ? result.count : 0, duration: ContinuousClock.now - start, contextName: name,
                author: transactionAuthor))
        return result
    }

    /// Merges changes that were made without these contexts, such as those of a batch request.
    /// (`mergeChanges(fromRemoteContextSave:into:)`)
    ///
    /// - Throws: as ``mergeChanges(from:)``; later contexts are not merged then.
    public static func mergeChanges(from changes: SaveChanges, into contexts: [ManagedObjectContext]) throws {
        for context in contexts { try context.mergeChanges(from: changes) }
    }
}
