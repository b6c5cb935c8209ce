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

/// What the columns' types say of a field before it becomes a value. The reader asks only where a record is broken:
/// to find the line to read on at, and the place where a row probably broke.
package protocol FieldJudge: AnyObject {
    /// Whether a field can be a value of a column; NULL texts and lists as the column has them. `bytes` are what
    /// `field.start` and `field.end` count in. The column is one of the reader's, whatever `field.column` says.
    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool

    /// Whether a column refuses some texts; false for text, which accepts everything.
    func isTelling(column: Int) -> Bool
}
