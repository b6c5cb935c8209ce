import GranaryBase
public import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Returns the objects of a request with the changes of this context; objects deleted here are left out.
    ///
    /// Without unsaved changes that can matter, the store evaluates predicate and order, and tells which objects match:
    /// a registered object that others have changed since is found by its new values, although it still has the old
    /// ones (see ``FetchRequest/shouldRefreshRefetchedObjects``). Objects with unsaved changes are evaluated here and
    /// merged with the results of the store. All rows of the entity are read and evaluated here only if the request
    /// uses a transient property, or follows relationships to objects with unsaved changes.
    ///
    /// - Complexity: O(*n* log *n*) in the number of stored objects if there is an order, otherwise O(*n*).
    ///
    /// - Throws: ``GranaryError``: `refused` if there is no such entity, a regular expression reaches its limit
    ///   (`value.patternLimit`), or the store contradicts the model (`store.corrupt`); `usage` for an invalid
    ///   predicate, order or key path, an object of another class than the request's, or if no store is loaded; any
    ///   error from reading.
    public func fetch<Object>(_ request: FetchRequest<Object>) throws -> [Object] {
        try mergePendingSaves()
        let search = try FetchSearch(try named(request), context: self)
        let objects = try search.objects()
        if !request.returnsObjectsAsFaults { try fulfill(objects) }
        return try cast(objects)
    }

    /// Calls `body` with each object while keeping only one batch of rows in memory. Objects without other references
    /// are released after their turn.
    ///
    /// Rows are read in batches of ``FetchRequest/fetchBatchSize``; later batches may contain what others saved
    /// meanwhile. The IDs of all objects are read first if the request has an order, in a child context, and if the
    /// store evaluates a predicate.
    ///
    /// - Throws: as `fetch(_:)`; any error from `body`.
    public func enumerate<Object>(_ request: FetchRequest<Object>, _ body: (Object) throws -> Void) throws {
        try mergePendingSaves()
        try FetchSearch(try named(request), context: self).enumerate { try body(try cast($0)) }
    }

    /// Returns the IDs of the objects of a request, in the request's order. It registers no further objects.
    ///
    /// - Throws: as `fetch(_:)`.
    public func fetchObjectIDs<Object>(_ request: FetchRequest<Object>) throws -> [ManagedObjectID] {
        try mergePendingSaves()
        return try FetchSearch(try named(request).withoutRefreshing, context: self).ids()
    }

    /// Returns the number of objects that `fetch(_:)` would return, with offset and limit applied. (`count(for:)`)
    ///
    /// - Throws: as `fetch(_:)`.
    public func count<Object>(for request: FetchRequest<Object>) throws -> Int {
        try mergePendingSaves()
        return try FetchSearch(try named(request).withoutRefreshing, context: self).count()
    }

    /// Returns the dictionaries of a request: a row of values for each stored object, or for each group of them.
    /// Unsaved changes are not included.
    ///
    /// ```swift
    /// var request = FetchRequest("Employee")
    /// request.propertiesToFetch = [
    ///     "department.name",
    ///     .expression(ExpressionDescription("total", try ObjectExpression(format: "sum:(salary)"))),
    /// ]
    /// request.propertiesToGroupBy = ["department.name"]
    /// for row in try context.fetchDictionaries(request) { print(row["department.name"], row["total"]) }
    /// ```
    /// Without columns (``FetchRequest/propertiesToFetch``) a row has all attributes. Aggregates (`sum:`, `average:`,
    /// `min:`, `max:`, `count:` of a value of each row, and `@count`) without groups give one row. Sort descriptors of
    /// groups name columns or properties to group by; otherwise groups are in the order of their first objects. Offset
    /// and limit apply to the rows.
    ///
    /// - Complexity: memory grows with the number of returned rows or groups.
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a column that is to-many, or neither grouped
    ///   nor an aggregate, and for an invalid ``FetchRequest/havingPredicate``.
    public func fetchDictionaries<Object>(_ request: FetchRequest<Object>) throws -> [FetchedRow] {
        try mergePendingSaves()
        return try FetchTable(try named(request), context: self).rows()
    }

    /// Returns the results of a request in the form of its ``FetchRequest/resultType``.
    ///
    /// - Throws: as `fetch(_:)`.
    public func execute<Object>(_ request: FetchRequest<Object>) throws -> FetchResult<Object> {
        switch request.resultType {
        case .managedObjects: .objects(try fetch(request))
        case .managedObjectIDs: .objectIDs(try fetchObjectIDs(request))
        case .dictionaries: .dictionaries(try fetchDictionaries(request))
        case .count: .count(try count(for: request))
        }
    }

    /// Returns all objects of an entity and its subentities: stored objects by their keys, then new objects in the
    /// order they were inserted.
    ///
    /// - Throws: as `fetch(_:)`.
    public func fetchAll(_ entityName: String) throws -> [ManagedObject] { try fetch(FetchRequest(entityName)) }

    // MARK: - Classes

    /// Returns the request with the name of its entity.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if no store is loaded, or the request's class is registered for no
    ///   entity or several.
    func named<Object>(_ request: FetchRequest<Object>) throws(GranaryError) -> FetchRequest<ManagedObject> {
        try requireStores()
        if let name = request.entityName { return FetchRequest(request, entityName: name) }
        let layouts = layouts.registered(for: Object.self)
        guard layouts.count == 1 else {
            throw GranaryError(
                .usage,
                "the class \(Object.self) is registered for \(layouts.count) entities; name the entity of the request")
        }
        return FetchRequest(request, entityName: layouts[0].entity.name)
    }

    private func cast<Object: ManagedObject>(_ objects: [ManagedObject]) throws(GranaryError) -> [Object] {
        if let result = objects as? [Object] { return result }
        var result: [Object] = []
        for object in objects { result.append(try cast(object)) }
        return result
    }

    private func cast<Object: ManagedObject>(_ object: ManagedObject) throws(GranaryError) -> Object {
        guard let result = object as? Object else {
            throw GranaryError(
                .usage, "\(object) is of the class \(type(of: object)), not \(Object.self)")
        }
        return result
    }
}
