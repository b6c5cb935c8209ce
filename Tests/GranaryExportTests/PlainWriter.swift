import GranaryBase
import GranaryFormats

/// A writer that hides that another one can be split, so that one thread formats all rows.
final class PlainWriter<Base: ValueWriter>: ValueWriter {
    private let base: Base

    init(_ base: Base) { self.base = base }

    func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try base.beginTable(entity: entity, columns: columns)
    }

    func beginRow() throws(GranaryError) { try base.beginRow() }

    func write(_ value: BorrowedValue, column: Int) throws(GranaryError) { try base.write(value, column: column) }

    func beginList(column: Int) throws(GranaryError) { try base.beginList(column: column) }

    func writeElement(_ value: BorrowedValue) throws(GranaryError) { try base.writeElement(value) }

    func endList() throws(GranaryError) { try base.endList() }

    func endRow() throws(GranaryError) { try base.endRow() }

    func endTable() throws(GranaryError) { try base.endTable() }

    func finish(model: [UInt8]?) throws(GranaryError) { try base.finish(model: model) }
}
