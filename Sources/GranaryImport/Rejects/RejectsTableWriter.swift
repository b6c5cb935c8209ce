import GranaryBase
import GranaryFormats

/// Writes rejected records as CSV for a spreadsheet: place, property, rule and message beside the fields.
///
/// A CSV source keeps its separators and its encoding, so that a corrected table is imported with the same options. A
/// record of which the columns are no faithful copy, such as a row with too many fields or an object in an object, is
/// in the column `$record` too, as it was found. An import rejects a row with such a field, so that nobody imports the
/// copy unseen.
final class RejectsTableWriter: RejectsWriter {
    private let output: ByteOutput
    private let encoding: TextEncoding
    private let options: CSVReader.Options
    private let lineEnd: [UInt8]
    private var line: [UInt8] = []
    /// Whether the line has a cell, which may be empty.
    private var hasCell = false

    /// - Parameters:
    ///   - columns: the columns of the source.
    ///   - preamble: that of a delimited source; nil for a table with commas in UTF-8.
    init(_ output: ByteOutput, columns: [[UInt8]], _ preamble: CSVPreamble?) throws(GranaryError) {
        self.output = output
        encoding = preamble?.encoding ?? .utf8
        options = preamble?.options ?? CSVReader.Options()
        lineEnd = preamble?.lineEnd ?? [0x0A]
        output.encode(as: encoding, hasMark: encoding.isUnicode)
        for row in preamble?.skippedLines ?? [] {
            output.buffer.append(contentsOf: row + lineEnd)
            try output.flushIfFull()
        }
        for name in RejectsTableColumns.names { append(Array(name.utf8)) }
        for name in columns { append(name) }
        try endLine()
    }

    func prepare() throws(GranaryError) { try output.prepare() }

    /// A record and its problems.
    struct Row {
        /// The name of the source.
        let source: String
        let line: Int
        let reasons: [Diagnostic]
        /// The record as it was found; empty if the fields are a faithful copy.
        var record: [UInt8] = []
        /// A field for each column; nil for an empty one.
        var cells: [RejectsCell?] = []
    }

    func append(_ row: Row) throws(GranaryError) {
        let reasons = row.reasons
        func joined(_ text: (Diagnostic) -> String?) -> String {
            reasons.map { text($0) ?? "" }.joined(separator: "; ")
        }
        append(note: row.source)
        append(note: "\(reasons.first?.position?.line ?? row.line)")
        append(note: joined { diagnostic in diagnostic.position.map { "\($0.column)" } })
        append(note: joined { $0.property ?? $0.field })
        append(note: joined(\.code.rawValue))
        append(note: joined(\.message))
        append(row.record)
        for cell in row.cells { append(cell?.text ?? [], isQuoted: cell?.isQuoted ?? false) }
        try endLine()
    }

    /// Appends a cell that an import does not read, so it can be changed: it is no formula, and in an encoding that
    /// lacks a character it has `?` instead. Messages are written in English, but can contain other characters.
    private func append(note: String) {
        var text = Array(note.utf8)
        if SpreadsheetText.isEscaped(text.first) { text.insert(SpreadsheetText.mark, at: 0) }
        guard text.withUnsafeBufferPointer({ encoding.firstMissing(in: $0) }) != nil else { return append(text) }
        var result = ""
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let isHeld = Array(String(scalar).utf8).withUnsafeBufferPointer { encoding.firstMissing(in: $0) == nil }
            result.unicodeScalars.append(isHeld ? scalar : "?")
        }
        append(Array(result.utf8))
    }

    private func append(_ text: [UInt8], isQuoted: Bool = false) {
        // A line that begins like a comment would be one.
        let isComment = !hasCell && options.comment != nil && text.first == options.comment
        if hasCell { line.append(options.delimiter) }
        hasCell = true
        let isSpecial = text.contains {
            $0 == options.delimiter || $0 == options.quote || $0 == 0x0A || $0 == 0x0D
        }
        let quotes = isQuoted || isSpecial || isComment
        if quotes { line.append(options.quote) }
        for byte in text {
            if byte == options.escape || byte == options.quote { line.append(options.escape ?? options.quote) }
            line.append(byte)
        }
        if quotes { line.append(options.quote) }
    }

    private func endLine() throws(GranaryError) {
        output.buffer.append(contentsOf: line + lineEnd)
        line.removeAll(keepingCapacity: true)
        hasCell = false
        try output.flushIfFull()
    }
}
