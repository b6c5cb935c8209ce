/// The meaning of an object or a list in a member.
package enum MemberContent: Sendable, Hashable {
    /// Related objects, references to them, or an unknown member; `kind` is negative if unknown.
    case objects(kind: Int32)
    /// One JSON value: ``Record/Kind/json``.
    case json
    /// An object whose members, or a list whose elements, are fields of the object around it, in columns with the path
    /// as name: `contact.email`, `images.0`.
    case columns(kind: Int32)

    /// The kind of objects inside; negative if unknown.
    var kind: Int32 {
        switch self {
        case .objects(let kind), .columns(let kind): kind
        case .json: -1
        }
    }
}
