package import GranaryBase

/// Writes one table as CSV or TSV (RFC 4180, line ends LF) that ``CSVReader`` reads back exactly.
///
/// A field is quoted only if necessary: if it contains the delimiter, a quote or a line end, equals the text for NULL,
/// is empty (`""` is the empty string, an empty field is NULL), or begins a record with a comment character or byte
/// order mark. A list is one field with its elements joined by the list separator (``ListText`` splits it again); an
/// empty list is NULL.
package final class CSVWriter: ValueWriter {
    /// The dialect of the output.
    package let options: Options
    let output: ByteOutput
    private let null: [UInt8]
    private var columnCount: Int?
    /// The start of the row in the output's buffer. The buffer is flushed only between rows.
    private var rowStart = 0
    /// Whether a field of the row was written in parts, so that the buffer was flushed within the row.
    private var hasStreamed = false
    private var nextColumn = 0
    private var isInRow = false
    private var scratch: [UInt8] = []
    private var listColumn: Int?
    private var elementCount = 0

    /// - Throws: ``GranaryError`` with code `usage` if the options contradict each other.
    package init(_ output: ByteOutput, options: Options = Options()) throws(GranaryError) {
        if let contradiction = options.contradiction { throw GranaryError(.usage, contradiction) }
        self.options = options
        self.output = output
        null = Array(options.null.utf8)
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table: a CSV file contains one.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        guard columnCount == nil else {
            throw GranaryError(.usage, "\(output.name): a CSV file holds one entity; write \(entity) to another file")
        }
        guard !columns.isEmpty else { throw GranaryError(.usage, "\(entity): a CSV file needs at least one column") }
        columnCount = columns.count
        guard options.hasHeader else { return }
        for (index, name) in columns.enumerated() {
            if index > 0 { output.buffer.append(options.delimiter) }
            var name = name
            name.withUTF8 { appendField($0, isFirst: index == 0) }
        }
        output.buffer.append(0x0A)
    }

    /// Starts a row; every column is NULL until it is written.
    package func beginRow() throws(GranaryError) {
        guard columnCount != nil, !isInRow else { throw misuse() }
        isInRow = true
        nextColumn = 0
        rowStart = output.buffer.count
        hasStreamed = false
    }

    /// Writes one field. Columns come in ascending order; omitted columns are NULL.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.range`) for a value without a text form, such as NaN, or
    ///   as writing the bytes throws.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        guard listColumn == nil else { throw misuse() }
        switch value {
        case .null:
            try moveOn(to: column)
            output.buffer.append(contentsOf: null)
        case .text(let bytes), .uri(let bytes):
            try moveOn(to: column)
            appendField(bytes, isFirst: column == 0)
        default:
            scratch.removeAll(keepingCapacity: true)
            try ValueText.append(
                value, dates: options.dates, binary: options.binary, nonFinite: options.nonFinite, to: &scratch)
            try moveOn(to: column)
            // A number is no formula, even if it is negative.
            let isNumber = value.isNumber
            scratch.withUnsafeBufferPointer { appendField($0, isFirst: column == 0, isNumber: isNumber) }
        }
    }

    /// Starts a field that is written in parts.
    func beginStream(_ column: Int) throws(GranaryError) {
        guard listColumn == nil else { throw misuse() }
        try moveOn(to: column)
        hasStreamed = true
    }

    /// Starts a list, which becomes one field.
    package func beginList(column: Int) throws(GranaryError) {
        guard listColumn == nil else { throw misuse() }
        try moveOn(to: column)
        listColumn = column
        elementCount = 0
        scratch.removeAll(keepingCapacity: true)
    }

    /// Adds an element to the list; an element that contains the separator is quoted.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for NULL (`value.missing`), or as ``write(_:column:)`` does.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        guard listColumn != nil else { throw misuse() }
        if case .null = value {
            throw GranaryError(Diagnostic(.valueMissing, "a list in a CSV field cannot hold NULL"))
        }
        if elementCount > 0 { scratch.append(options.listSeparator) }
        elementCount += 1
        let start = scratch.count
        try ValueText.append(
            value, dates: options.dates, binary: options.binary, nonFinite: options.nonFinite, to: &scratch)
        ListText.quoteElement(at: start, of: &scratch, separator: options.listSeparator, quote: options.quote)
    }

    /// Ends the list. An empty list is NULL.
    package func endList() throws(GranaryError) {
        guard let column = listColumn else { throw misuse() }
        listColumn = nil
        if elementCount == 0 {
            output.buffer.append(contentsOf: null)
        } else {
            scratch.withUnsafeBufferPointer { appendField($0, isFirst: column == 0) }
        }
    }

    /// Ends the row with LF; the remaining columns are NULL.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.missing`) for a row that would be a blank line, because
    ///   readers skip blank lines.
    package func endRow() throws(GranaryError) {
        guard let columnCount, listColumn == nil else { throw misuse() }
        if columnCount == 1, !hasStreamed, output.buffer.count == rowStart, null.isEmpty {
            throw GranaryError(
                Diagnostic(
                    .valueMissing, "NULL in the only column would be a blank line, which is skipped when it is read",
                    help: "--null NULL"))
        }
        if nextColumn < columnCount {
            try moveOn(to: columnCount - 1)
            output.buffer.append(contentsOf: null)
        }
        isInRow = false
        output.buffer.append(0x0A)
        try output.flushIfFull()
    }

    /// Ends the table; the file stays open until ``finish(model:)``.
    package func endTable() throws(GranaryError) {
        guard columnCount != nil, !isInRow else { throw misuse() }
    }

    /// Ends the file. CSV cannot contain a model, so it is omitted.
    package func finish(model: [UInt8]?) throws(GranaryError) { try output.finish() }

    /// Writes delimiters, and NULL for omitted columns, up to the start of a column's field.
    private func moveOn(to column: Int) throws(GranaryError) {
        guard isInRow, let columnCount, column >= nextColumn, column < columnCount else { throw misuse() }
        while nextColumn < column {
            if nextColumn > 0 { output.buffer.append(options.delimiter) }
            output.buffer.append(contentsOf: null)
            nextColumn += 1
        }
        if column > 0 { output.buffer.append(options.delimiter) }
        nextColumn = column + 1
    }

    private func appendField(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool, isNumber: Bool = false) {
        if options.escapesFormulas, !isNumber, SpreadsheetText.isEscaped(bytes.first) {
            let escaped = [SpreadsheetText.mark] + Array(bytes)
            return escaped.withUnsafeBufferPointer { appendQuoted($0, isFirst: isFirst) }
        }
        appendQuoted(bytes, isFirst: isFirst)
    }

    private func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
        guard needsQuotes(bytes, isFirst: isFirst) else { return output.buffer.append(contentsOf: bytes) }
        let quote = options.quote
        output.buffer.append(quote)
        for byte in bytes {
            if byte == quote { output.buffer.append(quote) }
            output.buffer.append(byte)
        }
        output.buffer.append(quote)
    }

    private func needsQuotes(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> Bool {
        guard let first = bytes.first else { return true }
        let (delimiter, quote) = (options.delimiter, options.quote)
        for byte in bytes where byte == delimiter || byte == quote || byte == 0x0A || byte == 0x0D { return true }
        if isFirst, first == options.comment || bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
        return bytes.count == null.count && bytes.elementsEqual(null)
    }

    private func misuse() -> GranaryError {
        GranaryError(.internalDefect, "\(output.name): the calls that write a table do not nest")
    }
}
