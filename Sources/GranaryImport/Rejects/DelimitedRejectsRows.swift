import GranaryBase
import GranaryFormats

/// Splits the records of delimited text again.
struct DelimitedRejectsRows {
    /// The columns of the table.
    let columns: [[UInt8]]
    /// The index in ``columns`` of each column of the source; nil for columns that a table of rejects adds.
    private let targets: [Int?]
    /// The column of the source with records of an earlier table of rejects.
    private let recordColumn: Int?
    private let options: CSVReader.Options
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ preamble: CSVPreamble) {
        var columns: [[UInt8]] = []
        targets = preamble.columns.map { name in
            guard !RejectsTableColumns.contains(name, in: preamble.columns) else { return nil }
            columns.append(Array(name.utf8))
            return columns.count - 1
        }
        self.columns = columns
        recordColumn = preamble.columns.firstIndex(of: RejectsTableColumns.record)
        var options = preamble.options
        // Only the number of the columns counts here, and those of a header can be without a name.
        (options.hasHeader, options.columns) = (false, preamble.columns.indices.map { "column\($0)" })
        (options.skipRows, options.encoding, options.isDelimiterFixed) = (0, .utf8, true)
        self.options = options
    }

    func row(
        _ raw: [UInt8], of source: String, _ reasons: [Diagnostic]
    ) throws(GranaryError) -> RejectsTableWriter.Row {
        // A reader skips a byte order mark, and reads a line that is empty only if it ends.
        var text = raw.starts(with: Self.byteOrderMark) ? Self.byteOrderMark + raw : raw
        if text.isEmpty { text = [0x0A] }
        // Each record is split for itself, so that a quote that is not closed affects no other record.
        let reader = try CSVReader(
            ByteSource(bytes: text, name: source), options: options, chunkBytes: 1 << 14)
        var record = Record()
        var row = RejectsTableWriter.Row(source: source, line: 1, reasons: reasons)
        row.cells = Array(repeating: nil, count: columns.count)
        row.record = raw.isEmpty ? Array(RejectsTableColumns.unreadable.utf8) : raw
        do throws(GranaryError) {
            try reader.readHeader()
            guard case .record = try reader.next(into: &record) else { return row }
        } catch {
            // The record is in its column as it was found.
            return row
        }
        row.record = []
        for field in record.fields {
            let column = Int(field.column)
            let text = Array(record.bytes[field.range])
            if column == recordColumn { row.record = text }
            guard targets.indices.contains(column), let target = targets[column] else { continue }
            row.cells[target] = RejectsCell(text: text, isQuoted: field.kind == .quoted)
        }
        return row
    }
}
