package import GranaryBase

/// Writes records to a destination one by one, in memory that does not grow with their number. It receives borrowed
/// values, so that none is copied. ``RecordWriter`` is the equivalent for writers outside Granary.
///
/// The calls nest: a document has tables, a table has rows, a row has values and lists.
package protocol ValueWriter: AnyObject {
    /// Starts the rows of one entity. `columns` names every column that a row can have, in the order of writing.
    func beginTable(entity: String, columns: [String]) throws(GranaryError)
    /// Starts a row of the table.
    func beginRow() throws(GranaryError)
    /// Writes one value; `column` is an index into the table's columns, larger than in the previous call. NULL is
    /// omitted if the format has no NULL.
    func write(_ value: BorrowedValue, column: Int) throws(GranaryError)
    /// Starts a list; ``writeElement(_:)`` adds its elements.
    func beginList(column: Int) throws(GranaryError)
    /// Writes one element of the list. Not every format allows NULL in a list.
    func writeElement(_ value: BorrowedValue) throws(GranaryError)
    /// Ends the list, which may be empty.
    func endList() throws(GranaryError)
    /// Ends the row. A column that was not written is NULL or absent, depending on the format.
    func endRow() throws(GranaryError)
    /// Ends the rows of the entity.
    func endTable() throws(GranaryError)
    /// Ends the document and, for a file, moves it to its final name.
    ///
    /// - Parameter model: the model as a JSON object (UTF-8), for formats that can contain it; nil if there is none.
    func finish(model: [UInt8]?) throws(GranaryError)
}
