package import GranaryBase

/// Reads CSV and TSV strictly (RFC 4180), one record at a time, for files of any size.
///
/// ```swift
/// let reader = try CSVReader(ByteSource(url: file))
/// try reader.readHeader()
/// var record = Record()
/// while case .record = try reader.next(into: &record) { ... }
/// ```
/// LF, CR LF and CR end a record; the last record may lack a line end. A byte order mark is skipped. Nothing is
/// trimmed, guessed or repaired: broken quoting, rows with too many or too few fields, invalid text and U+0000 make a
/// record `malformed`, with line and column, and reading continues after it. If an unclosed quote extends over several
/// lines, reading continues at the first of these lines that fits the columns. An unquoted field is `text` (which may
/// mean NULL), a quoted field is `quoted`.
///
/// Blank lines are skipped and counted in ``skippedBlankLines``. In a file of one column ``Options/blankLines`` can
/// make them records of one unquoted empty field. In other files rows of delimiters alone are skipped and counted in
/// ``skippedBlankRows``, unless ``Options/blankRows`` makes them records.
///
/// A first line such as `sep=;`, with which Excel reads and writes the delimiter, is skipped and sets the delimiter.
package final class CSVReader: RecordReader {
    /// The dialect and the limits.
    package var options: Options { tokenizer.options }
    /// The columns' names in the file's order; empty before ``readHeader()``.
    package private(set) var columns: [String] = []
    /// The header's own record; nil for a file without one.
    private(set) var header: Record?
    /// The number of skipped blank lines.
    package var skippedBlankLines: Int { skipped + tokenizer.droppedBlankLines }

    /// Tells whether fields fit their columns, to find where to continue after a malformed record and where a row is
    /// wrong. If nil, only the number of fields counts. Set it before reading the first record.
    package var judge: (any FieldTypeCheck)? {
        get { tokenizer.judge }
        set { tokenizer.judge = newValue }
    }

    let tokenizer: CSVTokenizer
    /// The number of examined rows with a wrong number of fields.
    var raggedReadings = 0
    /// The number of skipped rows of delimiters alone.
    private(set) var skippedBlankRows = 0
    private var skipped = 0
    private var keepsBlankLines = false
    private var hasReadHeader = false
    var recordNumber = 0
    /// The error that every further call throws.
    private var failure: GranaryError?
    private var isAtEnd = false

    /// The number of rows searched for a whole record, to find the number of columns.
    private static let leadingRows = 10_000

    /// - Parameter chunkBytes: the number of bytes read at a time.
    /// - Throws: ``GranaryError`` with code `usage` if the options contradict each other.
    package init(
        _ source: ByteSource, options: Options = Options(), chunkBytes: Int = 1 << 18
    ) throws(GranaryError) {
        if let contradiction = options.contradiction { throw GranaryError(.usage, contradiction) }
        source.decodeText(as: options.encoding, allowsNUL: options.allowsNUL)
        tokenizer = try CSVTokenizer(source: source, options: options, chunkBytes: max(1, chunkBytes))
    }

    /// The file's path, or the name of the bytes.
    package var sourceName: String { tokenizer.source.name }
    /// The file's bytes.
    package var source: ByteSource? { tokenizer.source }
    /// The encoding of the source before conversion to UTF-8.
    var encoding: TextEncoding { tokenizer.source.encoding }

    /// Reads the header, or determines the columns if there is none.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the source ends before a header (`header.missing`), or the
    ///   header is malformed or has a duplicate (`header.duplicate`) or empty name; or as reading throws.
    package func readHeader() throws(GranaryError) {
        if let failure { throw failure }
        guard !hasReadHeader else { return }
        // Without a header, the first record with several fields after a malformed one determines the width.
        tokenizer.isSalvaging = !options.hasHeader
        tokenizer.width = options.columns?.count
        do throws(GranaryError) {
            columns = options.hasHeader ? try headerColumns() : try headerlessColumns()
        } catch {
            failure = error
            throw error
        }
        hasReadHeader = true
        tokenizer.isSalvaging = true
        tokenizer.width = columns.count
        keepsBlankLines = columns.count == 1 && options.blankLines == .null
        tokenizer.keepsBlankLines = keepsBlankLines
    }

    /// Reads the next record.
    ///
    /// A malformed record has its ``Record/raw`` bytes and position, but no fields.
    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        try readHeader()
        while !isAtEnd {
            guard let row = try nextRow() else { break }
            if row.problem == .blankLine, !keepsBlankLines {
                skipped += 1
                continue
            }
            if row.problem == .none, skipsBlankRows, tokenizer.hasDelimitersOnly(row) {
                skippedBlankRows += 1
                continue
            }
            recordNumber += 1
            record.number = recordNumber
            tokenizer.copy(row, into: &record)
            guard let diagnostic = check(row, &record) else { return .record }
            record.fields.removeAll(keepingCapacity: true)
            record.bytes.removeAll(keepingCapacity: true)
            if row.problem.endsReading {
                var error = GranaryError(diagnostic)
                if row.problem == .outOfStep { error.code = .internalDefect }
                failure = error
                throw error
            }
            return .malformed(diagnostic)
        }
        isAtEnd = true
        return .end
    }

    /// Whether rows of delimiters alone are no records.
    var skipsBlankRows: Bool { columns.count > 1 && options.blankRows == .skip }

    private func nextRow() throws(GranaryError) -> CSVBatch.Row? {
        do throws(GranaryError) {
            return try tokenizer.next()
        } catch {
            failure = error
            throw error
        }
    }

    /// The diagnostic for a malformed record; nil for a valid one.
    private func check(_ row: CSVBatch.Row, _ record: inout Record) -> Diagnostic? {
        switch row.problem {
        case .none: break
        case .blankLine:
            record.fields.append(Record.Field(kind: .text, column: 0, start: 0, end: 0, rawStart: 0))
        default:
            return brokenRecord(row, record)
        }
        if let diagnostic = encodingProblem(record) { return diagnostic }
        return record.fields.count == columns.count ? nil : raggedRecord(record)
    }

    private func headerColumns() throws(GranaryError) -> [String] {
        var record = Record()
        while let row = try tokenizer.next() {
            if row.problem == .blankLine {
                skipped += 1
                continue
            }
            record.number = 0
            tokenizer.copy(row, into: &record)
            if row.problem != .none { throw GranaryError(brokenRecord(row, record)) }
            if let diagnostic = encodingProblem(record) { throw GranaryError(diagnostic) }
            let names = try headerNames(record)
            header = record
            return names
        }
        throw GranaryError(missingHeader())
    }

    /// The position of a column's name in the header; the header's start for nil and for an invalid index. Nil if there
    /// is no header, or it was not read yet.
    package func headerPosition(ofColumn index: Int?) -> SourcePosition? {
        guard let header else { return nil }
        guard let index, header.fields.indices.contains(index) else {
            return header.position(ofRaw: 0, file: sourceName)
        }
        return header.position(of: header.fields[index], file: sourceName)
    }

    private func headerlessColumns() throws(GranaryError) -> [String] {
        if let columns = options.columns { return columns }
        // A source without a whole record has one column: a blank line is a record with one field.
        let count = try tokenizer.peekFieldCount(limit: Self.leadingRows) ?? 1
        return (1...max(1, count)).map { "column\($0)" }
    }
}
