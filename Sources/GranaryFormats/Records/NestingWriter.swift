package import GranaryBase

/// A writer of a format in which a value can be an object with values of its own.
///
/// ``ValueWriter/write(_:column:)`` and the calls for lists apply to the innermost object; a column is an index into
/// its columns.
package protocol NestingWriter: AnyObject {
    /// Adds the columns of objects that are written inside the rows of the current table.
    ///
    /// - Parameter columnsNeedingNull: the columns whose NULLs are named, as in
    ///   ``NullNamingWriter/columnsNeedingNull``.
    /// - Returns: the number of the columns, for ``beginObject(_:column:)``.
    func addObjectColumns(_ columns: [String], entity: String, columnsNeedingNull: Set<Int>) throws(GranaryError) -> Int
    /// Starts an object with the columns of a number.
    ///
    /// - Parameter column: the column around it; nil for an element of the list that is open.
    func beginObject(_ number: Int, column: Int?) throws(GranaryError)
    /// Ends the object. The column or list around it continues.
    func endObject() throws(GranaryError)
}
