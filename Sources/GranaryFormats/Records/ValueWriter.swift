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

/// A writer whose rows can be formatted apart from its output, so that several threads can format them.
package protocol SplitWriter: ValueWriter {
    associatedtype Part: ValueWriter

    /// Creates a writer that formats rows of the current table and keeps them. Another thread can use it.
    ///
    /// - Parameter columns: the columns of the current table.
    func makePart(columns: [String]) throws(GranaryError) -> Part

    /// Writes the rows of a part after the rows that were written before, and removes them from the part.
    func append(rowsOf part: Part) throws(GranaryError)
}

/// A writer of a format without NULL, which names the NULL columns of a row instead.
package protocol NullNamingWriter: AnyObject {
    /// The columns of the current table whose NULLs are named; nil for all columns. Reset for each table.
    var columnsNeedingNull: Set<Int>? { get set }
}

/// A writer whose format can contain JSON as a value.
package protocol JSONValueWriter: AnyObject {
    /// Writes a JSON text as the value of a column.
    func write(json: [UInt8], column: Int) throws(GranaryError)

    /// Writes an archive's bytes and, for readability, its content as JSON.
    func write(archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int) throws(GranaryError)
}

/// The member names of `{"$archive": "…", "$value": …}`: a value whose bytes cannot be restored from its JSON.
package enum ArchiveMember {
    /// The bytes, in Base64 or hexadecimal digits. An import reads these.
    package static let archive = "$archive"
    /// The content of the bytes, for readability.
    package static let value = "$value"
}
