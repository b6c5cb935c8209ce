import GranaryBase
import GranaryFormats

/// A JSON document of objects without their model.
final class PreviewDocument: ValueWriter {
    private let writer: JSONWriter

    init(_ writer: JSONWriter) { self.writer = writer }

    func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try writer.beginTable(entity: entity, columns: columns)
    }

    func beginRow() throws(GranaryError) { try writer.beginRow() }

    func write(_ value: BorrowedValue, column: Int) throws(GranaryError) { try writer.write(value, column: column) }

    func beginList(column: Int) throws(GranaryError) { try writer.beginList(column: column) }

    func writeElement(_ value: BorrowedValue) throws(GranaryError) { try writer.writeElement(value) }

    func endList() throws(GranaryError) { try writer.endList() }

    func endRow() throws(GranaryError) { try writer.endRow() }

    func endTable() throws(GranaryError) { try writer.endTable() }

    func finish(model: [UInt8]?) throws(GranaryError) { try writer.finish(model: nil) }
}
