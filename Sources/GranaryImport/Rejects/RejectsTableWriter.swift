import GranaryBase
import GranaryFormats

/// Writes rejected records as CSV for a spreadsheet: place, property, rule and message beside the fields.
///
/// A CSV source keeps its separators and its encoding, so that a corrected table is imported with the same options. A
/// record of which the columns are no faithful copy, such as a row with too many fields or an object in an object, is
/// in the column `$record` too, as it was found.
final class RejectsTableWriter: RejectsWriter {
    private let output: ByteOutput
    private let encoding: TextEncoding
    private let delimiter: UInt8
    private let quote: UInt8
    private let columns: [String]
    private let lineEnd: [UInt8]
    private var line: [UInt8] = []

    /// - Parameters:
    ///   - columns: the columns of the source.
    ///   - preamble: that of a delimited source; nil for a table with commas in UTF-8.
    init(_ output: ByteOutput, columns: [String], _ preamble: CSVPreamble?) throws(GranaryError) {
        self.output = output
        self.columns = columns.filter { !RejectsTableColumns.contains($0, in: columns) }
        encoding = preamble?.encoding ?? .utf8
        delimiter = preamble?.options.delimiter ?? UInt8(ascii: ",")
        quote = preamble?.options.quote ?? UInt8(ascii: "\"")
        lineEnd = preamble?.lineEnd ?? [0x0A]
        output.encode(as: encoding, hasMark: encoding.isUnicode)
        // An import skips these lines with the options of the source.
        for _ in 0..<(preamble?.options.skipRows ?? 0) { output.buffer.append(contentsOf: lineEnd) }
        for name in RejectsTableColumns.names + self.columns { append(Array(name.utf8), isQuoted: false) }
        try endLine()
    }

    func prepare() throws(GranaryError) { try output.prepare() }

    /// Writes a record.
    ///
    /// - Parameters:
    ///   - isComplete: whether the record was split into fields.
    ///   - names: the columns of the reader, to which the fields refer.
    func append(
        _ record: Record, isComplete: Bool, names: [String], of source: String, _ reasons: [Diagnostic]
    ) throws(GranaryError) {
        func joined(_ text: (Diagnostic) -> String?) -> [UInt8] {
            Array(reasons.map { text($0) ?? "" }.joined(separator: "; ").utf8)
        }
        append(encodable(Array(source.utf8)), isQuoted: false)
        append(Array("\(reasons.first?.position?.line ?? record.line)".utf8), isQuoted: false)
        append(joined { diagnostic in diagnostic.position.map { "\($0.column)" } }, isQuoted: false)
        append(encodable(joined { $0.property ?? $0.field }), isQuoted: false)
        append(joined(\.code.rawValue), isQuoted: false)
        append(encodable(joined(\.message)), isQuoted: false)
        let cells = isComplete ? cells(record, names) : [:]
        let isFaithful = isComplete && record.nested.isEmpty
        append(isFaithful ? [] : record.raw, isQuoted: false)
        for name in columns {
            let cell = cells[name]
            append(cell?.text ?? [], isQuoted: cell?.isQuoted ?? false)
        }
        try endLine()
    }

    private struct Cell {
        var text: [UInt8]
        var isQuoted: Bool
    }

    /// The fields by the names of their columns.
    private func cells(_ record: Record, _ names: [String]) -> [String: Cell] {
        var cells: [String: Cell] = [:]
        var index = 0
        while index < record.fields.count {
            let first = record.fields[index]
            let column = Int(first.column)
            var next = index + 1
            while first.isElement, next < record.fields.count, record.fields[next].isElement,
                record.fields[next].column == first.column
            {
                next += 1
            }
            if names.indices.contains(column) { cells[names[column]] = cell(record.fields[index..<next], record) }
            index = next
        }
        return cells
    }

    /// The text of one field, or of the elements of a list as an import splits them.
    private func cell(_ fields: ArraySlice<Record.Field>, _ record: Record) -> Cell? {
        guard let first = fields.first else { return nil }
        guard first.isElement else {
            switch first.kind {
            case .null, .object, .emptyList: return nil
            case .date:
                var date: [UInt8] = []
                let text = String(decoding: record.bytes[first.range], as: UTF8.self)
                guard DateText.append(Double(text) ?? .nan, to: &date) else { break }
                return Cell(text: date, isQuoted: false)
            case .text, .quoted, .number, .boolean, .data, .array, .json: break
            }
            return Cell(text: Array(record.bytes[first.range]), isQuoted: first.kind == .quoted)
        }
        let separator = UInt8(ascii: ";")
        var text: [UInt8] = []
        for field in fields {
            if !text.isEmpty { text.append(separator) }
            let start = text.count
            text.append(contentsOf: record.bytes[field.range])
            ListText.quoteElement(at: start, of: &text, separator: separator)
        }
        return Cell(text: text, isQuoted: false)
    }

    /// A text with `?` in place of characters that the source's encoding lacks: messages are written in English, but
    /// can contain other characters.
    private func encodable(_ text: [UInt8]) -> [UInt8] {
        guard text.withUnsafeBufferPointer({ encoding.firstMissing(in: $0) }) != nil else { return text }
        var result = ""
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let isHeld = Array(String(scalar).utf8).withUnsafeBufferPointer { encoding.firstMissing(in: $0) == nil }
            result.unicodeScalars.append(isHeld ? scalar : "?")
        }
        return Array(result.utf8)
    }

    private func append(_ text: [UInt8], isQuoted: Bool) {
        if !line.isEmpty || hasCell { line.append(delimiter) }
        hasCell = true
        let special = text.contains { $0 == delimiter || $0 == quote || $0 == 0x0A || $0 == 0x0D }
        guard special || isQuoted else { return line.append(contentsOf: text) }
        line.append(quote)
        for byte in text {
            if byte == quote { line.append(quote) }
            line.append(byte)
        }
        line.append(quote)
    }

    /// Whether the line has a cell, which may be empty.
    private var hasCell = false

    private func endLine() throws(GranaryError) {
        output.buffer.append(contentsOf: line + lineEnd)
        line.removeAll(keepingCapacity: true)
        hasCell = false
        try output.flushIfFull()
    }
}
