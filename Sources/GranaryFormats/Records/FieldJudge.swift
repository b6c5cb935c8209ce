/// What the columns' types say of a field before it becomes a value. The reader asks only where a record is broken:
/// to find the line to read on at, and the place where a row probably broke.
package protocol FieldJudge: AnyObject {
    /// Whether a field can be a value of a column; NULL texts and lists as the column has them. `bytes` are what
    /// `field.start` and `field.end` count in. The column is one of the reader's, whatever `field.column` says.
    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool

    /// Whether a column refuses some texts; false for text, which accepts everything.
    func isTelling(column: Int) -> Bool
}
