package import Foundation
package import GranaryBase

/// Reads CSV and TSV strictly (RFC 4180), one record after the other, whatever the file's size.
///
/// ```swift
/// let reader = try CSVReader(url: file)
/// try reader.readHeader()
/// var record = Record()
/// while case .record = try reader.next(into: &record) { ... }
/// ```
/// LF, CR LF and CR end a record; the last one may lack its end. A byte order mark is passed over. Nothing is trimmed,
/// guessed or repaired: broken quoting, rows with too many or too few fields, bytes that are no text and U+0000 make a
/// record `malformed`, with line and column, and reading goes on behind it. Where a quote that is not closed has run over
/// several lines, that is at the first of them that fits the columns by itself. An unquoted field is `text` (which may
/// stand for NULL), a quoted one `quoted`.
///
/// A blank line is skipped. In a file of one column it is counted in ``skippedBlankLines``, or read as one unquoted empty field
/// if ``Options/blankLines`` says so.
package final class CSVReader: RecordReader {
    /// The dialect and the limits that the file is read with.
    package let options: Options
    /// The columns' names in the file's order; empty before ``readHeader()``.
    package private(set) var columns: [String] = []
    /// Always empty: a CSV file names no entity.
    package var entities: [String] { [] }
    /// The header's own record; nil for a file without one.
    private(set) var header: Record?
    /// How many blank lines were passed over.
    package var skippedBlankLines: Int { skipped + tokenizer.droppedBlankLines }

    /// What the columns' types say of a field, for records that are broken: where to read on, and where a row broke.
    /// Without it only the number of fields counts. Set it before the first record is read.
    package var judge: (any FieldJudge)? {
        get { tokenizer.judge }
        set { tokenizer.judge = newValue }
    }

    let tokenizer: CSVTokenizer
    /// How many rows with a wrong number of fields were looked into.
    var raggedReadings = 0
    private var skipped = 0
    private var keepsBlankLines = false
    private var hasReadHeader = false
    var recordNumber = 0
    /// What every further call gives, once nothing can be read any more.
    private var failure: GranaryError?
    private var isAtEnd = false

    /// How many bytes are read at a time.
    private static let chunkBytes = 1 << 18
    /// How far the first whole record is looked for where nothing else tells the number of columns.
    private static let leadingRows = 10_000

    /// - Throws: ``GranaryError`` with code `usage` where the options contradict themselves.
    package convenience init(_ source: ByteSource, options: Options = Options()) throws(GranaryError) {
        try self.init(source, options: options, chunkBytes: Self.chunkBytes)
    }

    /// - Throws: as ``init(_:options:)``, and `unreadable` where the file cannot be opened.
    package convenience init(url: URL, options: Options = Options()) throws(GranaryError) {
        try self.init(ByteSource(url: url), options: options)
    }

    /// - Throws: as ``init(url:options:)``.
    package convenience init(path: String, options: Options = Options()) throws(GranaryError) {
        try self.init(ByteSource(path: path), options: options)
    }

    package init(_ source: ByteSource, options: Options, chunkBytes: Int) throws(GranaryError) {
        if let contradiction = options.contradiction { throw GranaryError(.usage, contradiction) }
        self.options = options
        source.decodeText(as: options.encoding, allowsNUL: options.allowsNUL)
        tokenizer = try CSVTokenizer(source: source, options: options, chunkBytes: max(1, chunkBytes))
    }

    /// The file's path, or the name that its bytes were given with.
    package var sourceName: String { tokenizer.source.name }
    /// The file's bytes.
    package var source: ByteSource? { tokenizer.source }
    /// What the text was before it was made UTF-8.
    var encoding: TextEncoding { tokenizer.source.encoding }

    /// Reads the header, or works out the columns where there is none.
    ///
    /// - Throws: ``GranaryError`` with code `refused` where the source ends before a header (`header.missing`), or
    ///   the header is broken, has a name twice (`header.duplicate`) or an empty one; or as reading throws.
    package func readHeader() throws(GranaryError) {
        if let failure { throw failure }
        guard !hasReadHeader else { return }
        // Without a header's width the first record behind a broken one that has several fields tells it.
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
    /// A malformed record has its ``Record/raw`` bytes and place, and no fields.
    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        try readHeader()
        while !isAtEnd {
            guard let row = try nextRow() else { break }
            if row.problem == .blankLine, !keepsBlankLines {
                skipped += 1
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

    private func nextRow() throws(GranaryError) -> CSVBatch.Row? {
        do throws(GranaryError) {
            return try tokenizer.next()
        } catch {
            failure = error
            throw error
        }
    }

    /// What is wrong with a record; nil where it is one.
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

    /// Where a column's name stands in the header. The header's start for nil and for an index that is no column;
    /// nil where there is no header, or it was not read yet.
    package func headerPosition(ofColumn index: Int?) -> SourcePosition? {
        guard let header else { return nil }
        guard let index, header.fields.indices.contains(index) else {
            return header.position(ofRaw: 0, file: sourceName)
        }
        return header.position(of: header.fields[index], file: sourceName)
    }

    private func headerlessColumns() throws(GranaryError) -> [String] {
        if let columns = options.columns { return columns }
        // A source without one whole record has one column: a blank line is a record with one field.
        let count = try tokenizer.peekFieldCount(limit: Self.leadingRows) ?? 1
        return (1...max(1, count)).map { "column\($0)" }
    }
}
