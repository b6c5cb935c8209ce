package import GranaryBase

/// Reads a constant table: terms in one line with a delimiter between them, such as `Blunt Trauma%Burn%C-Spine`.
///
/// Each term is a record with one `quoted` field, never NULL, exactly as written: blanks stay. With a field delimiter
/// (`A=Airway%B=Breathing`) it has one for each of ``Options/fields``. With an ordinal column it has a `number` too,
/// counted from ``Options/ordinalStart`` by the term's place. With a line feed for a delimiter a term is a line, and
/// CR LF ends one too. An empty term or part, too few or too many parts, a line end inside a term and bytes that are no
/// text make a term `malformed`; it keeps its place in the count.
package final class TermsReader: RecordReader {
    /// What the table's columns are, and how its text is taken apart.
    package struct Options: Sendable {
        /// How the file writes its characters. Nil: as its byte order mark says, UTF-8 without one.
        package var encoding: TextEncoding?
        /// The text between two terms; any text but the empty one.
        package var delimiter: String
        /// The columns that a term's parts are in: one, or several with ``fieldDelimiter`` between their parts.
        package var fields: [String]
        /// The text between two parts of a term; nil where a term is one value.
        package var fieldDelimiter: String?
        /// The first of ``fields``; setting it makes it the only one.
        package var attribute: String {
            get { fields.first ?? "" }
            set { fields = [newValue] }
        }
        /// The column for each term's number; nil for none.
        package var ordinal: String?
        /// The first term's number.
        package var ordinalStart: Int64 = 0
        /// Whether U+0000 may stand in a term.
        package var allowsNUL = false
        /// The most bytes of a delimiter: looking for it costs their product with the table's.
        package static let maximumDelimiterBytes = 1024
        /// The most bytes of a whole table, which is read at once; at most 2^30.
        package var maximumBytes = 64 << 20

        /// Options for terms in the column `attribute`, numbered from `ordinalStart` where `ordinal` is not nil.
        package init(delimiter: String, attribute: String, ordinal: String? = nil, ordinalStart: Int64 = 0) {
            self.init(
                delimiter: delimiter, fields: [attribute], fieldDelimiter: nil, ordinal: ordinal,
                ordinalStart: ordinalStart)
        }

        /// Options for terms of several columns, `key=name`, with `fieldDelimiter` between their parts.
        package init(
            delimiter: String, fields: [String], fieldDelimiter: String?, ordinal: String? = nil,
            ordinalStart: Int64 = 0
        ) {
            self.delimiter = delimiter
            self.fields = fields
            self.fieldDelimiter = fieldDelimiter
            self.ordinal = ordinal
            self.ordinalStart = ordinalStart
        }
    }

    /// How the table is read.
    package let options: Options
    /// The file's name, or the name that the text was given with (`--terms` by default).
    package let sourceName: String
    /// The term's columns, and the number's column where ``Options/ordinal`` names one. Known from the start.
    package let columns: [String]
    /// Always empty: a constant table names no entity.
    package var entities: [String] { [] }

    /// Nil once the table is read.
    /// The table's bytes; nil for a text at hand.
    package let source: ByteSource?
    private var isRead = false
    private var encoding = TextEncoding.utf8
    private let delimiter: [UInt8]
    let fieldDelimiter: [UInt8]
    private var text: [UInt8] = []
    /// Where the next term begins; nil behind the last.
    private var nextStart: Int? = 0
    private var termCount = 0
    private var failure: GranaryError?
    // The next term's line, and where that line begins.
    private var line = 1
    private var lineStart = 0

    /// Terms in a file. One line end at the file's end belongs to no term; a byte order mark is passed over.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for delimiters that are empty or hold each other, and for columns that
    ///   are missing or have one name.
    package init(_ source: ByteSource, options: Options) throws(GranaryError) {
        try Self.check(options)
        self.options = options
        source.decodeText(as: options.encoding, allowsNUL: options.allowsNUL)
        self.source = source
        sourceName = source.name
        columns = options.fields + (options.ordinal.map { [$0] } ?? [])
        delimiter = Array(options.delimiter.utf8)
        fieldDelimiter = Array((options.fieldDelimiter ?? "").utf8)
    }

    /// Terms given as text, such as an option's: every byte of it belongs to the table, but for a last line end where a
    /// line feed stands between the terms.
    ///
    /// - Throws: as ``init(_:options:)``.
    package init(text: String, name: String = "--terms", options: Options) throws(GranaryError) {
        try Self.check(options)
        self.options = options
        sourceName = name
        source = nil
        columns = options.fields + (options.ordinal.map { [$0] } ?? [])
        delimiter = Array(options.delimiter.utf8)
        fieldDelimiter = Array((options.fieldDelimiter ?? "").utf8)
        self.text = Array(text.utf8)
        // A line ends with its line end; behind the last there is no further term.
        if delimiter == [0x0A] { dropLastLineEnd() }
    }

    /// Reads the table. Its columns are known before.
    ///
    /// - Throws: ``GranaryError`` with code `refused` where it is larger than the limit or in another encoding, or as
    ///   reading throws.
    package func readHeader() throws(GranaryError) {
        if let failure { throw failure }
        guard let source, !isRead else { return }
        isRead = true
        do throws(GranaryError) {
            text = try source.readAll(limit: options.maximumBytes)
            encoding = source.encoding
            let mark = TextEncodingMark.utf8Length(text)
            nextStart = mark
            lineStart = mark
        } catch {
            failure = error
            throw error
        }
        dropLastLineEnd()
    }

    /// Reads the next term. A malformed one keeps its place in the count.
    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        try readHeader()
        guard let start = nextStart else { return .end }
        let found = text.withUnsafeBufferPointer { TermsText.firstDelimiter(delimiter, in: $0, from: start) }
        var end = found ?? text.count
        // A table of a term a line may have CR LF; the last line's end is gone already.
        if found != nil, delimiter == [0x0A], end > start, text[end - 1] == 0x0D { end -= 1 }
        fill(&record, start: start, end: end)
        defer {
            moveOn(from: start, to: found.map { $0 + delimiter.count } ?? text.count)
            nextStart = found.map { $0 + delimiter.count }
            termCount += 1
        }
        if let diagnostic = problem(record) {
            record.fields.removeAll(keepingCapacity: true)
            record.bytes.removeAll(keepingCapacity: true)
            return .malformed(diagnostic)
        }
        return .record
    }

    private static func check(_ options: Options) throws(GranaryError) {
        let problem = TermsText.problem(
            delimiter: options.delimiter, fieldDelimiter: options.fieldDelimiter, columns: options.fields.count)
        if let problem { throw GranaryError(.usage, problem) }
        if max(options.delimiter.utf8.count, options.fieldDelimiter?.utf8.count ?? 0) > Options.maximumDelimiterBytes {
            throw GranaryError(
                .usage, "the delimiter between terms is longer than \(Options.maximumDelimiterBytes) bytes, the limit")
        }
        if options.fields.isEmpty || options.fields.contains("") {
            throw GranaryError(.usage, "the terms need a column with a name")
        }
        if let ordinal = options.ordinal, options.fields.contains(ordinal) {
            throw GranaryError(.usage, "\(ordinal): the terms and their numbers need two columns")
        }
        if Set(options.fields).count < options.fields.count {
            throw GranaryError(.usage, "two parts of a term are in one column")
        }
        if options.maximumBytes < 1 || options.maximumBytes > 1 << 30 {
            throw GranaryError(.usage, "the limit of a table's bytes must be from 1 to \(1 << 30)")
        }
    }

    private func dropLastLineEnd() {
        // Of the text, not of a byte order mark alone.
        guard text.count > lineStart else { return }
        if text.last == 0x0A {
            text.removeLast()
            if text.count > lineStart, text.last == 0x0D { text.removeLast() }
        } else if text.last == 0x0D {
            text.removeLast()
        }
    }

    private func fill(_ record: inout Record, start: Int, end: Int) {
        record.removeAll()
        record.raw.append(contentsOf: text[start..<end])
        record.bytes.append(contentsOf: text[start..<end])
        record.number = termCount + 1
        record.line = line
        record.column = start - lineStart + 1
        record.byteOffset = start
        // Their bytes stay together in the record: a field is a part of them.
        for (column, part) in parts(of: record).prefix(options.fields.count).enumerated() {
            let partStart = Int32(truncatingIfNeeded: part.lowerBound)
            record.fields.append(
                Record.Field(
                    kind: .quoted, column: Int32(truncatingIfNeeded: column), start: partStart,
                    end: Int32(truncatingIfNeeded: part.upperBound), rawStart: partStart))
        }
        guard options.ordinal != nil else { return }
        let (ordinal, overflow) = options.ordinalStart.addingReportingOverflow(Int64(termCount))
        // The largest number is the last; `problem` refuses what is behind it.
        guard !overflow else { return }
        let length = Int32(truncatingIfNeeded: record.bytes.count)
        IntegerText.append(ordinal, to: &record.bytes)
        let bytesEnd = Int32(truncatingIfNeeded: record.bytes.count)
        let column = Int32(truncatingIfNeeded: options.fields.count)
        record.fields.append(Record.Field(kind: .number, column: column, start: length, end: bytesEnd, rawStart: 0))
    }

    private func problem(_ record: Record) -> Diagnostic? {
        func diagnostic(_ code: Diagnostic.Code, _ message: String, at offset: Int) -> Diagnostic {
            Diagnostic(
                code, message, at: record.position(ofRaw: offset, file: sourceName),
                field: options.fields.count == 1 ? options.attribute : nil)
        }
        if record.raw.isEmpty {
            return diagnostic(
                .termsSyntax,
                text.isEmpty ? "the table has no term" : "an empty term; a delimiter stands between two terms",
                at: 0)
        }
        let (invalid, nul) = record.raw.withUnsafeBufferPointer { raw in
            (UTF8Text.firstInvalid(in: raw), options.allowsNUL ? nil : UTF8Text.firstNUL(in: raw))
        }
        if let invalid, invalid < nul ?? .max {
            let message = record.raw.withUnsafeBufferPointer { encoding.problem(in: $0, at: invalid) }
            return diagnostic(.encodingInvalid, message, at: invalid)
        }
        if let nul { return diagnostic(.encodingInvalid, "U+0000 inside the text; it needs --allow-nul", at: nul) }
        if let lineEnd = record.raw.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            return diagnostic(
                .termsSyntax,
                "a line end inside a term; a constant table is one line, line \(record.line + 1) is a second",
                at: lineEnd)
        }
        if let problem = partProblem(record) { return problem }
        if record.fields.count < columns.count {
            return diagnostic(.valueRange, "the term's number is larger than an Integer 64 holds", at: 0)
        }
        return nil
    }

    /// Keeps line and line start right while the term and its delimiter are passed over.
    private func moveOn(from start: Int, to end: Int) {
        for index in start..<end {
            let isCRLF = text[index] == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A
            if text[index] == 0x0A || (text[index] == 0x0D && !isCRLF) {
                line += 1
                lineStart = index + 1
            }
        }
    }
}

extension TermsReader: ReaderAbilities {}
