/// The columns of the members of one object or list.
package struct MemberPaths: Sendable {
    /// The path to the object or list.
    package var prefix = ""
    /// The elements of a list that have columns of their own. The others stay elements of the list.
    package var elements: Set<Int> = []
    /// The columns that have a property. They are NULL if the object or list is.
    package var columns: [String] = []

    package init() {}
}
