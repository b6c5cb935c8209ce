/// A writer of a format without NULL, which names the NULL columns of a row instead.
package protocol NullNamingWriter: AnyObject {
    /// The columns of the current table whose NULLs are named; nil for all columns. Reset for each table.
    var columnsNeedingNull: Set<Int>? { get set }
}
