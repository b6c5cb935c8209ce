public import GranaryPredicates

/// Requests in one expression. Each method returns a changed copy.
///
/// ```swift
/// let request = FetchRequest(Book.self).where { $0.year > 1900 }.sort(\.title).limit(10)
/// ```
extension FetchRequest {
    /// The request with a further condition, which must be true as well as the present one.
    public func `where`(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> Self {
        self.where(try ObjectPredicate(Object.self, condition))
    }

    /// The request with a further condition, which must be true as well as the present one.
    public func `where`(_ condition: ObjectPredicate) -> Self {
        var request = self
        request.predicate = predicate.map { $0 && condition } ?? condition
        return request
    }

    /// The request with a further sort key, for objects that the present keys do not order.
    public func sort<Value>(
        _ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>, ascending: Bool = true,
        comparison: ObjectSortDescriptor.Comparison = .standard
    ) -> Self {
        sort([.sort(field, ascending: ascending, comparison: comparison)])
    }

    /// The request with further sort keys, for objects that the present keys do not order.
    public func sort(_ keys: [ObjectSort<Object>]) -> Self {
        var request = self
        request.sortDescriptors += keys.map(\.descriptor)
        return request
    }

    /// The request with a maximum number of results; 0 for all. (`fetchLimit`)
    public func limit(_ count: Int) -> Self {
        var request = self
        request.fetchLimit = count
        return request
    }

    /// The request with a number of results to skip. (`fetchOffset`)
    public func offset(_ count: Int) -> Self {
        var request = self
        request.fetchOffset = count
        return request
    }
}
