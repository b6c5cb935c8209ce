import GranaryBase

/// Receives the records of an export one by one. Implement it to write a format that Granary does not support.
///
/// ```swift
/// final class CountingWriter: RecordWriter {
///     var counts: [String: Int] = [:]
///     private var entity = ""
///
///     func beginTable(entity: String, columns: [String]) { self.entity = entity }
///     func writeRow(_ fields: [RecordField?]) { counts[entity, default: 0] += 1 }
/// }
/// ```
public protocol RecordWriter: AnyObject {
    /// Starts the records of one entity.
    ///
    /// - Parameter columns: the columns that its records can have.
    /// - Throws: any error ends the export.
    func beginTable(entity: String, columns: [String]) throws
    /// Writes a record.
    ///
    /// - Parameter fields: one for each column of the table; nil if the record omits the column.
    /// - Throws: any error ends the export.
    func writeRow(_ fields: [RecordField?]) throws
    /// Ends the records of the entity. Does nothing by default.
    func endTable() throws
    /// Ends the export. Does nothing by default.
    func finish() throws
}

extension RecordWriter {
    /// Does nothing.
    public func endTable() throws {}

    /// Does nothing.
    public func finish() throws {}
}
