/// Tells a reader of nested records whether an object or a list in a member holds related objects or is one JSON value.
///
/// Readers ask only when an object or a list begins.
package protocol MemberGuide: AnyObject {
    /// The kind of the records of an entity; negative if unknown. `entity` is nil if the source names no entities.
    func kind(ofRecordsOf entity: String?) -> Int32

    /// The meaning of an object or a list in a member of an object of a kind.
    func content(of member: String, kind: Int32) -> MemberContent
}

/// The meaning of an object or a list in a member.
package enum MemberContent: Sendable, Hashable {
    /// Related objects, references to them, or an unknown member; `kind` is negative if unknown.
    case objects(kind: Int32)
    /// One JSON value: ``Record/Kind/json``.
    case json
}

/// Tells whether a field's text fits a column's type. Readers ask only about malformed records, to find the line to
/// continue at and the likely place of the mistake.
package protocol FieldJudge: AnyObject {
    /// Whether a field can be a value of a column, by the column's NULL texts and list syntax. `field.start` and
    /// `field.end` are offsets into `bytes`. `field.column` is ignored.
    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool

    /// Whether a column rejects some texts; false for String columns, which accept every text.
    func isTelling(column: Int) -> Bool
}
