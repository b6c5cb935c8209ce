/// What a reader of nested records has to know of a member before it can read it: whether an object or a list in it are
/// related objects, or a value of their own.
///
/// It is asked where an object or a list begins, and only there.
package protocol MemberGuide: AnyObject {
    /// The kind of the records of an entity; nil where the source names none. Negative: nothing is known of them.
    func kind(ofRecordsOf entity: String?) -> Int32

    /// What a member of an object of that kind holds.
    func content(of member: String, kind: Int32) -> MemberContent
}

/// What an object or a list in a member is.
package enum MemberContent: Sendable, Hashable {
    /// Related objects or references to them, or nothing that is known; the kind of the objects, negative for unknown.
    case objects(kind: Int32)
    /// A value of its own: ``Record/Kind/json``.
    case json
}
