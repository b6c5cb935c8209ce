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
    /// The number of rows that have no byte but delimiters, which an import can skip.
    package private(set) var blankRows = 0
    private let null: [UInt8]
    private let delimiter: UInt8
    private let quote: UInt8
    /// Whether the texts of numbers, dates and UUIDs can need quotes in this dialect.
    private let quotesNumbers: Bool
    /// The encoding, if texts can have characters that it lacks.
    private let encoding: TextEncoding?
    /// Formats the values that the options change; nil if they change none.
    @exclusivity(unchecked) private var texts: ValueTexts?
    private var entity = ""
    private var columns: [String] = []
    /// The rows that are not passed to the output yet.
    ///
    /// Here and below, `@exclusivity(unchecked)` is safe: no method calls itself indirectly while it changes a
    /// property.
    @exclusivity(unchecked) private var rows = ByteBuffer()
    /// Whether the rows are kept for ``append(rowsOf:)``.
    private var isPart = false
    @exclusivity(unchecked) private var columnCount: Int?
    /// The start of the row in ``rows``, which are passed on only between rows.
    @exclusivity(unchecked) private var rowStart = 0
    /// Whether a field of the row was written in parts, so that ``rows`` was passed on within the row.
    @exclusivity(unchecked) private var hasStreamed = false
    @exclusivity(unchecked) private var nextColumn = 0
    @exclusivity(unchecked) private var isInRow = false
    @exclusivity(unchecked) private var scratch: [UInt8] = []
    @exclusivity(unchecked) private var listColumn: Int?
    private var elementCount = 0

    /// - Throws: ``GranaryError`` with code `usage` if the options contradict each other.
    package init(_ output: ByteOutput, options: Options = Options()) throws(GranaryError) {
        if let contradiction = options.contradiction { throw GranaryError(.usage, contradiction) }
        self.options = options
        self.output = output
        null = Array(options.null.utf8)
        (delimiter, quote) = (options.delimiter, options.quote)
        encoding = options.encoding.isUnicode ? nil : options.encoding
        texts = try ValueTexts(options.form, rounded: options.rounded)
        let special = [options.delimiter, options.quote, options.comment].compactMap { $0 }
        quotesNumbers =
            special.contains(where: ValueText.isOfNumber)
            || (!null.isEmpty && null.allSatisfy(ValueText.isOfNumber))
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table: a CSV file contains one.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        guard columnCount == nil else {
            throw GranaryError(.usage, "\(output.name): a CSV file holds one entity; write \(entity) to another file")
        }
        guard !columns.isEmpty else { throw GranaryError(.usage, "\(entity): a CSV file needs at least one column") }
        columnCount = columns.count
        self.entity = entity
        self.columns = columns
        guard options.hasHeader else { return }
        for (index, name) in columns.enumerated() {
            if index > 0 { rows.append(delimiter) }
            try Array(name.utf8).withUnsafeBufferPointer { (name) throws(GranaryError) in
                try check(name)
                appendField(name, isFirst: index == 0)
            }
        }
        rows.append(0x0A)
    }

    /// Starts a row; every column is NULL until it is written.
    package func beginRow() throws(GranaryError) {
        guard columnCount != nil, !isInRow else { throw misuse() }
        isInRow = true
        nextColumn = 0
        rowStart = rows.count
        hasStreamed = false
    }

    /// Writes one field. Columns come in ascending order; omitted columns are NULL.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.range`) for a value without a text form, such as NaN, or
    ///   as writing the bytes throws.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        guard listColumn == nil else { throw misuse() }
        try moveOn(to: column)
        switch value {
        case .null: rows.append(contentsOf: null)
        case .text(let bytes), .uri(let bytes):
            if encoding != nil { try check(bytes) }
            appendField(bytes, isFirst: column == 0)
        default:
            if !quotesNumbers, texts == nil, ValueText.appendNumber(value, dates: options.dates, to: &rows) { return }
            scratch.removeAll(keepingCapacity: true)
            try appendText(of: value, column: column)
            // A number is no formula, even if it is negative.
            let isNumber = value.isNumber
            scratch.withUnsafeBufferPointer { appendField($0, isFirst: column == 0, isNumber: isNumber) }
        }
    }

    /// Appends the text of a value to ``scratch``.
    private func appendText(of value: BorrowedValue, column: Int) throws(GranaryError) {
        let start = scratch.count
        let changed = try texts?.append(
            value, to: &scratch, entity: entity, property: columns.indices.contains(column) ? columns[column] : "")
        if changed == nil {
            try ValueText.append(
                value, dates: options.dates, binary: options.binary, nonFinite: options.nonFinite, to: &scratch)
        }
        guard encoding != nil else { return }
        try scratch.withUnsafeBufferPointer { (text) throws(GranaryError) in
            try check(UnsafeBufferPointer(rebasing: text[start...]))
        }
    }

    /// - Throws: ``GranaryError`` with code `refused` (`encoding.invalid`) for a character that the encoding lacks.
    private func check(_ text: UnsafeBufferPointer<UInt8>) throws(GranaryError) {
        if let refusal = encoding?.refusal(of: text) { throw refusal }
    }

    /// Starts a field that is written in parts.
    func beginStream(_ column: Int) throws(GranaryError) {
        guard listColumn == nil else { throw misuse() }
        try moveOn(to: column)
        try flushRows()
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
        guard let listColumn else { throw misuse() }
        if case .null = value {
            throw GranaryError(Diagnostic(.valueMissing, "a list in a CSV field cannot hold NULL"))
        }
        if elementCount > 0 { scratch.append(options.listSeparator) }
        elementCount += 1
        let start = scratch.count
        try appendText(of: value, column: listColumn)
        ListText.quoteElement(at: start, of: &scratch, separator: options.listSeparator)
    }

    /// Ends the list. An empty list is NULL.
    package func endList() throws(GranaryError) {
        guard let column = listColumn else { throw misuse() }
        listColumn = nil
        if elementCount == 0 {
            rows.append(contentsOf: null)
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
        if columnCount == 1, !hasStreamed, rows.count == rowStart, null.isEmpty, !options.allowsBlankRows {
            throw GranaryError(
                Diagnostic(
                    .valueMissing, "NULL in the only column would be a blank line, which is skipped when it is read",
                    help: "--null NULL"))
        }
        if nextColumn < columnCount {
            try moveOn(to: columnCount - 1)
            rows.append(contentsOf: null)
        }
        if columnCount > 1, !hasStreamed, rows.count - rowStart == columnCount - 1 { blankRows += 1 }
        isInRow = false
        rows.append(0x0A)
        if !isPart, rows.count >= Self.capacity { try flushRows() }
    }

    /// The number of bytes of rows that are passed to the output at once.
    private static let capacity = 1 << 16

    private func flushRows() throws(GranaryError) {
        try output.append(rows.bytes)
        rows.removeAll()
    }

    /// Ends the table; the file stays open until ``finish(model:)``.
    package func endTable() throws(GranaryError) {
        guard columnCount != nil, !isInRow else { throw misuse() }
    }

    /// Ends the file. CSV cannot contain a model, so it is omitted.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        try flushRows()
        try output.finish()
    }

    /// Writes delimiters, and NULL for omitted columns, up to the start of a column's field.
    @inline(__always)
    private func moveOn(to column: Int) throws(GranaryError) {
        guard isInRow, let columnCount, column >= nextColumn, column < columnCount else { throw misuse() }
        while nextColumn < column {
            if nextColumn > 0 { rows.append(delimiter) }
            rows.append(contentsOf: null)
            nextColumn &+= 1
        }
        if column > 0 { rows.append(delimiter) }
        nextColumn = column &+ 1
    }

    private func appendField(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool, isNumber: Bool = false) {
        if !isFirst || options.comment == nil && bytes.first != 0xEF, !options.escapesFormulas, null.isEmpty,
            // Most texts need no quotes. They are copied while they are searched.
            rows.append(plainField: bytes, delimiter: delimiter, quote: quote)
        {
            return
        }
        if options.escapesFormulas, !isNumber, SpreadsheetText.isEscaped(bytes.first) {
            let escaped = [SpreadsheetText.mark] + Array(bytes)
            return escaped.withUnsafeBufferPointer { appendQuoted($0, isFirst: isFirst) }
        }
        appendQuoted(bytes, isFirst: isFirst)
    }

    private func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
        guard needsQuotes(bytes, isFirst: isFirst) else { return rows.append(contentsOf: bytes) }
        rows.append(quote)
        for byte in bytes {
            if byte == quote { rows.append(quote) }
            rows.append(byte)
        }
        rows.append(quote)
    }

    private func needsQuotes(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> Bool {
        guard let first = bytes.first else { return true }
        for byte in bytes where byte == delimiter || byte == quote || byte == 0x0A || byte == 0x0D { return true }
        if isFirst, first == options.comment || bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
        return bytes.count == null.count && bytes.elementsEqual(null)
    }

    private func misuse() -> GranaryError {
        GranaryError(.internalDefect, "\(output.name): the calls that write a table do not nest")
    }
}

extension CSVWriter: SplitWriter {
    package func makePart(columns: [String]) throws(GranaryError) -> CSVWriter {
        var options = options
        options.hasHeader = false
        let part = try CSVWriter(.memory(), options: options)
        try part.beginTable(entity: entity, columns: columns)
        part.isPart = true
        return part
    }

    package func append(rowsOf part: CSVWriter) throws(GranaryError) {
        try flushRows()
        try output.append(part.rows.bytes)
        part.rows.removeAll()
        blankRows += part.blankRows
        part.blankRows = 0
    }
}
