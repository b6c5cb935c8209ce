public import GranaryPredicates

/// Fetches with conditions and orders that are written in Swift.
///
/// ```swift
/// let books = try context.fetch(Book.self, sort: [.sort(\.title)], limit: 20) { $0.year > 1900 }
/// ```
/// ``ObjectFields`` describes the conditions, ``ObjectSortKey`` the orders.
extension ManagedObjectContext {
    /// Returns the objects of the entity that a class is registered for.
    ///
    /// - Throws: as `fetch(_:)` and ``ObjectPredicate/init(_:_:)``.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, sort keys: [ObjectSortKey<Object>] = [], limit: Int = 0, offset: Int = 0,
        where condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws -> [Object] {
        try fetch(FetchRequest(type).where(condition).sort(keys).limit(limit).offset(offset))
    }

    /// Returns all objects of the entity that a class is registered for, in an order.
    ///
    /// - Throws: as `fetch(_:)` and ``ObjectSortKey/descriptor()``.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, sort keys: [ObjectSortKey<Object>], limit: Int = 0, offset: Int = 0
    ) throws -> [Object] {
        try fetch(FetchRequest(type).sort(keys).limit(limit).offset(offset))
    }

    /// Returns the first of the objects of the entity that a class is registered for; nil if there is none.
    ///
    /// - Throws: as `fetch(_:)` and ``ObjectPredicate/init(_:_:)``.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, sort keys: [ObjectSortKey<Object>] = [],
        where condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws -> Object? {
        try fetch(type, sort: keys, limit: 1, where: condition).first
    }

    /// Returns the number of objects of the entity that a class is registered for.
    ///
    /// - Throws: as `fetch(_:)` and ``ObjectPredicate/init(_:_:)``.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws -> Int {
        try count(for: FetchRequest(type).where(condition))
    }

    /// Calls `body` with each object while keeping only one batch of rows in memory, as `enumerate(_:_:)`.
    ///
    /// - Throws: as `fetch(_:)` and ``ObjectPredicate/init(_:_:)``; any error from `body`.
    public func enumerate<Object: ManagedObject>(
        _ type: Object.Type, sort keys: [ObjectSortKey<Object>] = [],
        where condition: (ObjectFields<Object>) throws -> ObjectPredicate, _ body: (Object) throws -> Void
    ) throws {
        try enumerate(FetchRequest(type).where(condition).sort(keys), body)
    }
}
