/// Tells a reader of nested records what an object or a list in a member is: related objects, one JSON value, or fields
/// of the object around it.
///
/// Readers ask only when an object or a list begins.
package protocol MemberGuide: AnyObject {
    /// The kind of the records of an entity; negative if unknown. `entity` is nil if the source names no entities.
    func kind(ofRecordsOf entity: String?) -> Int32

    /// The meaning of an object or a list in a member of an object of a kind.
    func content(of member: String, kind: Int32) -> MemberContent

    /// Whether ``content(of:kind:)`` can be ``MemberContent/columns(kind:)``.
    var hasPaths: Bool { get }

    /// The paths through an object or a list whose members are fields of the object around it.
    func paths(inside kind: Int32) -> MemberPaths
}

extension MemberGuide {
    package var hasPaths: Bool { false }
    package func paths(inside kind: Int32) -> MemberPaths { MemberPaths() }
}
