/// One key of a sort order. (`NSSortDescriptor`; Foundation has the name `SortDescriptor`.)
///
/// NULL is first, or last in descending order, as in SQLite. Objects with equal keys are in the order of their primary
/// keys.
public struct ObjectSortDescriptor: Sendable, Hashable, Codable {
    /// How text is compared. (`NSSortDescriptor.selector`)
    public enum Comparison: String, Sendable, Hashable, Codable, CaseIterable {
        /// By the UTF-8 bytes.
        case standard = "compare:"
        /// Without regard to case.
        case caseInsensitive = "caseInsensitiveCompare:"
        /// By the rules of the current locale.
        case localized = "localizedCompare:"
        /// By the rules of the current locale, without regard to case.
        case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
        /// As a file manager sorts: by the rules of the current locale, without regard to case, and numbers within the
        /// text by value.
        case localizedStandard = "localizedStandardCompare:"
    }

    /// The name of an attribute, or a path to one over to-one relationships: `department.name`. The number of objects
    /// in a to-many relationship is `employees.@count`.
    public var keyPath: String
    /// Whether the order is ascending.
    public var isAscending: Bool
    /// How text is compared; values of other types have only one order.
    public var comparison: Comparison

    /// Creates a descriptor for a key path.
    public init(_ keyPath: String, ascending: Bool = true, comparison: Comparison = .standard) {
        self.keyPath = keyPath
        isAscending = ascending
        self.comparison = comparison
    }
}
