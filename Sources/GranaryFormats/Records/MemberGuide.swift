/// Tells a reader of nested records whether an object or a list in a member holds related objects or is one JSON value.
///
/// Readers ask only when an object or a list begins.
package protocol MemberGuide: AnyObject {
    /// The kind of the records of an entity; negative if unknown. `entity` is nil if the source names no entities.
    func kind(ofRecordsOf entity: String?) -> Int32

    /// The meaning of an object or a list in a member of an object of a kind.
    func content(of member: String, kind: Int32) -> MemberContent
}
