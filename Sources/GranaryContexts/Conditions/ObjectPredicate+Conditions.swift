public import GranaryPredicates

extension ObjectPredicate {
    /// Creates a predicate from a condition on the fields of a class.
    ///
    /// ```swift
    /// let long = ObjectPredicate(Book.self) { $0.year > 1900 && $0.chapters.count > 10 }
    /// ```
    /// The compiler checks the names and types. The predicate is the same as that of a text, and its `description` is the
    /// text.
    public init<Object: ManagedObject>(
        _ type: Object.Type, _ condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) rethrows {
        self = try condition(ObjectFields<Object>())
    }
}
