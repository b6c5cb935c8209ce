public import GranaryBase
public import GranaryPredicates

/// A key of a sort order that is written in Swift: `.sort(\.title)`, `.sort(\.author.name, ascending: false)`.
public struct ObjectSortKey<Object: ManagedObject>: Sendable {
    private let result: Result<ObjectSortDescriptor, GranaryError>

    /// An attribute, the attribute of a related object (`\.author.name`) or a number of objects (`\.chapters.count`).
    public static func sort<Value>(
        _ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>, ascending: Bool = true,
        comparison: ObjectSortDescriptor.Comparison = .standard
    ) -> Self {
        let scope = ConditionScope()
        let field = ObjectFields<Object>(.evaluatedObject, scope)[keyPath: keyPath]
        if let error = scope.error { return Self(result: .failure(error)) }
        guard case .keyPath(let path) = field.expression else {
            return Self(
                result: .failure(
                    GranaryError(.usage, "the order \(field.expression) is calculated; sort by an attribute")))
        }
        return Self(result: .success(ObjectSortDescriptor(path, ascending: ascending, comparison: comparison)))
    }

    /// The key for ``FetchRequest/sortDescriptors`` and exports.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if a class does not list one of the properties in
    ///   ``ManagedObject/propertyNames``, or for a calculated value.
    public func descriptor() throws(GranaryError) -> ObjectSortDescriptor { try result.get() }
}
