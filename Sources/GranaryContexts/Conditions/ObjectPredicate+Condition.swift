public import GranaryPredicates

extension ObjectPredicate {
    /// A condition on objects of a class, written in Swift.
    ///
    /// ```swift
    /// let isOld = try ObjectPredicate(Book.self) { $0.year < 1900 || $0.author.name == "Ann" }
    /// ```
    /// It is the same tree as that of the text form, for fetches, batch requests and exports. ``ObjectFields`` describes
    /// what a condition consists of.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if a class does not list one of the properties in
    ///   ``ManagedObject/propertyNames``; any error from `condition`.
    public init<Object: ManagedObject>(
        _ type: Object.Type, _ condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) throws {
        self = try ConditionScope.make(type, condition)
    }
}
