public import GranaryPredicates

/// Fetches with a condition that the compiler checks.
///
/// ```swift
/// let books = try context.fetch(Book.self, sort: [.sort(\.title)], limit: 20) { $0.year > 1900 }
/// ```
extension ManagedObjectContext {
    /// Returns the objects of the entity that a class is registered for.
    ///
    /// - Throws: as `fetch(_:)`; any error from the closure.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, sort: [ObjectSort<Object>] = [], limit: Int = 0, offset: Int = 0,
        where condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws -> [Object] {
        try fetch(FetchRequest(type).where(condition).sort(sort).limit(limit).offset(offset))
    }

    /// Returns the objects of the entity that a class is registered for, in an order.
    ///
    /// - Throws: as `fetch(_:)`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, sort: [ObjectSort<Object>], limit: Int = 0, offset: Int = 0
    ) throws -> [Object] {
        try fetch(FetchRequest(type).sort(sort).limit(limit).offset(offset))
    }

    /// Returns the first of the objects of the entity that a class is registered for; nil if there is none.
    ///
    /// - Throws: as `fetch(_:)`; any error from the closure.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, sort: [ObjectSort<Object>] = [],
        where condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws -> Object? {
        try fetch(FetchRequest(type).where(condition).sort(sort).limit(1)).first
    }

    /// Returns the number of objects of the entity that a class is registered for.
    ///
    /// - Throws: as `fetch(_:)`; any error from the closure.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws -> Int {
        try count(for: FetchRequest(type).where(condition))
    }

    /// Calls `body` with each object that satisfies a condition while keeping only one batch of rows in memory.
    /// (``enumerate(_:_:)``)
    ///
    /// - Throws: as `fetch(_:)`; any error from the closures.
    public func enumerate<Object: ManagedObject>(
        _ type: Object.Type, sort: [ObjectSort<Object>] = [],
        where condition: (ObjectFields<Object>) throws -> ObjectPredicate, _ body: (Object) throws -> Void
    ) throws {
        try enumerate(FetchRequest(type).where(condition).sort(sort), body)
    }
}
