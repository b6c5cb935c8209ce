/// The meaning of an object or a list in a member.
package enum MemberContent: Sendable, Hashable {
    /// Related objects, references to them, or an unknown member; `kind` is negative if unknown.
    case objects(kind: Int32)
    /// One JSON value: ``Record/Kind/json``.
    case json
}
