package import GranaryBase

/// Writes records to a destination, one after the other, in memory that does not grow with their number. It receives
/// borrowed values, so that none is copied; ``RecordWriter`` is the same for writers outside Granary.
///
/// The calls nest: a document has tables, a table rows, a row values and lists. The writers are ``CSVWriter``,
/// ``JSONWriter``, ``PropertyListWriter`` and ``TermsWriter``.
package protocol ValueWriter: AnyObject {
    /// Starts the rows of one entity. `columns` names every column that a row may have, in the order of writing.
    func beginTable(entity: String, columns: [String]) throws(GranaryError)
    /// Starts a row of the table.
    func beginRow() throws(GranaryError)
    /// Writes one value; `column` is an index into the table's columns, larger than that of the call before.
    /// NULL is written as the format has it, or left out where the format has no NULL.
    func write(_ value: BorrowedValue, column: Int) throws(GranaryError)
    /// Writes the elements that follow, by ``writeElement(_:)``, as one list.
    func beginList(column: Int) throws(GranaryError)
    /// Writes one element of the list that was started. Not every format has NULL in a list.
    func writeElement(_ value: BorrowedValue) throws(GranaryError)
    /// Ends the list; one without elements is allowed.
    func endList() throws(GranaryError)
    /// Ends the row. A column that was not written is NULL or absent, as the format has it.
    func endRow() throws(GranaryError)
    /// Ends the rows of the entity.
    func endTable() throws(GranaryError)
    /// Ends the document and, for a file, gives it its name.
    ///
    /// - Parameter model: the model as a JSON object (UTF-8), for formats that carry it; nil for none.
    func finish(model: [UInt8]?) throws(GranaryError)
}

/// A writer whose format holds JSON itself as a value.
package protocol JSONValueWriter: AnyObject {
    /// Writes a JSON text as the value of a column.
    func write(json: [UInt8], column: Int) throws(GranaryError)

    /// Writes bytes, and beside them what is in them, for people.
    func write(archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int) throws(GranaryError)
}

/// The names in `{"$archive": "…", "$value": …}`: a value whose bytes JSON alone would not give again.
package enum ArchiveMember {
    /// The bytes, in Base64 or hexadecimal digits. They are what counts.
    package static let archive = "$archive"
    /// What is in them.
    package static let value = "$value"
}
