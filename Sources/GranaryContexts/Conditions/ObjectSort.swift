public import GranaryPredicates

/// One key of a sort order of the objects of a class, by a field. (`NSSortDescriptor`)
///
/// ```swift
/// let books = try context.fetch(Book.self, sort: [.sort(\.title), .sort(\.year, ascending: false)])
/// ```
public struct ObjectSort<Object: ManagedObject>: Sendable, Hashable {
    /// The key with the name of the model.
    public let descriptor: ObjectSortDescriptor

    init(descriptor: ObjectSortDescriptor) { self.descriptor = descriptor }

    /// A key that is a field, also of a to-one relationship (`\.author.name`) or the number of objects in a to-many one
    /// (`\.chapters.count`).
    public static func sort<Value>(
        _ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>, ascending: Bool = true,
        comparison: ObjectSortDescriptor.Comparison = .standard
    ) -> Self {
        let path = ObjectFields<Object>()[keyPath: field].expression.sortKeyPath
        return Self(descriptor: ObjectSortDescriptor(path, ascending: ascending, comparison: comparison))
    }
}
