/// Tells whether a field's text fits a column's type. Readers ask only about malformed records, to find the line to
/// continue at and the likely place of the mistake.
package protocol FieldTypeCheck: AnyObject {
    /// Whether a field can be a value of a column, by the column's NULL texts and list syntax. `field.start` and
    /// `field.end` are offsets into `bytes`. `field.column` is ignored.
    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool

    /// Whether a column rejects some texts; false for String columns, which accept every text.
    func canReject(column: Int) -> Bool
}
