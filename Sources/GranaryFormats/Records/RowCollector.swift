package import GranaryBase

/// Hands the values of an export to a ``RecordWriter``, a row at a time.
package final class RowCollector: ValueWriter {
    private let writer: any RecordWriter
    private var row: [RecordField?] = []
    private var list: (column: Int, values: [RecordValue])?

    package init(_ writer: any RecordWriter) { self.writer = writer }

    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        row = Array(repeating: nil, count: columns.count)
        try calling { try writer.beginTable(entity: entity, columns: columns) }
    }

    package func beginRow() throws(GranaryError) { for index in row.indices { row[index] = nil } }

    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        try set(.value(RecordValue(value)), column)
    }

    package func beginList(column: Int) throws(GranaryError) { list = (column, []) }

    package func writeElement(_ value: BorrowedValue) throws(GranaryError) { list?.values.append(RecordValue(value)) }

    package func endList() throws(GranaryError) {
        guard let list else { return }
        self.list = nil
        try set(.list(list.values), list.column)
    }

    package func endRow() throws(GranaryError) { try calling { try writer.writeRow(row) } }

    package func endTable() throws(GranaryError) { try calling { try writer.endTable() } }

    package func finish(model: [UInt8]?) throws(GranaryError) { try calling { try writer.finish() } }

    private func set(_ field: RecordField, _ column: Int) throws(GranaryError) {
        guard row.indices.contains(column) else {
            throw GranaryError(.internalDefect, "the table has no column \(column)")
        }
        row[column] = field
    }

    private func calling(_ body: () throws -> Void) throws(GranaryError) {
        do { try body() } catch let error as GranaryError { throw error } catch {
            throw GranaryError(.inputOutput, "the record writer failed: \(error)", underlying: error)
        }
    }
}
