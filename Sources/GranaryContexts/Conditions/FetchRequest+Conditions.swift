public import GranaryPredicates

/// Requests that are made step by step. Each method returns a changed copy.
///
/// ```swift
/// let request = try FetchRequest(Book.self).where { $0.year > 1900 }.sort(\.title).limit(10)
/// ```
extension FetchRequest {
    /// Adds a condition to the request's, joined by AND.
    public func `where`(_ condition: ObjectPredicate) -> Self {
        var request = self
        request.predicate = predicate.map { $0 && condition } ?? condition
        return request
    }

    /// Adds a condition that is written in Swift (``ObjectFields``) to the request's, joined by AND.
    ///
    /// - Throws: as ``ObjectPredicate/init(_:_:)``.
    public func `where`(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) throws -> Self {
        self.where(try ObjectPredicate(Object.self, condition))
    }

    /// Adds a key to the sort order, after those that the request has: `.sort(\.author.name).sort(\.year)`.
    ///
    /// - Throws: as ``ObjectSortKey/descriptor()``.
    public func sort<Value>(
        _ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>, ascending: Bool = true,
        comparison: ObjectSortDescriptor.Comparison = .standard
    ) throws -> Self {
        try sort([.sort(keyPath, ascending: ascending, comparison: comparison)])
    }

    /// Sets the maximum number of results; 0 for all.
    public func limit(_ count: Int) -> Self {
        var request = self
        request.fetchLimit = count
        return request
    }

    /// Sets the number of results to skip.
    public func offset(_ count: Int) -> Self {
        var request = self
        request.fetchOffset = count
        return request
    }

    /// Adds keys to the sort order.
    func sort(_ keys: [ObjectSortKey<Object>]) throws -> Self {
        var request = self
        for key in keys { request.sortDescriptors.append(try key.descriptor()) }
        return request
    }
}
