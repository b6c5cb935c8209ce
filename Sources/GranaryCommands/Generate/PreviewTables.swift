import GranaryBase
import GranaryCoordination
import GranaryFormats

/// Prints a table for each entity, under a line with its name and the number of its objects.
final class PreviewTables: ValueWriter {
    private let counts: [String: Int]
    private let rows: Int
    private var table: TableWriter?
    private var isFirst = true

    init(_ counts: [EntityCount], rows: Int) {
        self.counts = Dictionary(counts.map { ($0.name, $0.count) }) { first, _ in first }
        self.rows = rows
    }

    func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        let count = counts[entity] ?? 0
        let part =
            count > rows ? "the first \(rows) of \(CountText.count(count, "object"))" : CountText.count(count, "object")
        try CommandOutput.writeText((isFirst ? "" : "\n") + "\(entity): \(part)\n")
        isFirst = false
        var options = TableWriter.Options()
        let terminal = CommandOutput.current.dataTerminal
        options.width = terminal.isPresent ? terminal.width : nil
        let table = TableWriter(options: options) { (text) throws(GranaryError) in try CommandOutput.write(text) }
        try table.beginTable(entity: entity, columns: columns)
        self.table = table
    }

    func beginRow() throws(GranaryError) { try table?.beginRow() }

    func write(_ value: BorrowedValue, column: Int) throws(GranaryError) { try table?.write(value, column: column) }

    func beginList(column: Int) throws(GranaryError) { try table?.beginList(column: column) }

    func writeElement(_ value: BorrowedValue) throws(GranaryError) { try table?.writeElement(value) }

    func endList() throws(GranaryError) { try table?.endList() }

    func endRow() throws(GranaryError) { try table?.endRow() }

    func endTable() throws(GranaryError) {
        try table?.endTable()
        try table?.finish(model: nil)
        table = nil
    }

    func finish(model: [UInt8]?) throws(GranaryError) {}
}
