package import GranaryBase

/// Reads a constant table: terms in one line, separated by a delimiter, such as `Blunt Trauma%Burn%C-Spine`.
///
/// Each term is a record with one `quoted` field, which is never NULL; blanks are kept. With a field delimiter
/// (`A=Airway%B=Breathing`) the record has one field for each of ``Options/fields``. With an ordinal column it also has
/// a `number`, counted from ``Options/ordinalStart``. If the delimiter is a line feed, each term is a line, which CR LF
/// can also end. A term is `malformed` if it or one of its parts is empty, if it has too few or too many parts, or if
/// it contains a line end or invalid text; it still counts for the ordinals.
package final class TermsReader: RecordReader {
    /// The table's columns and delimiters.
    package struct Options: Sendable {
        /// The text encoding. If nil, the byte order mark decides; without one it is UTF-8.
        package var encoding: TextEncoding?
        /// The text between two terms, which must not be empty.
        package var delimiter: String
        /// The columns of a term's parts: one column, or several with ``fieldDelimiter`` between their parts.
        package var fields: [String]
        /// The text between two parts of a term; nil if a term is one value.
        package var fieldDelimiter: String?
        /// The column for each term's number; nil if there is none.
        package var ordinal: String?
        /// The first term's number.
        package var ordinalStart: Int64 = 0
        /// Whether a term may contain U+0000.
        package var allowsNUL = false
        /// The maximum number of bytes of a delimiter. A search takes time proportional to its product with the table's
        /// size.
        package static let maximumDelimiterBytes = 1024
        /// The maximum number of bytes of a table, which is read as a whole; at most 2^30.
        package var maximumBytes = 64 << 20

        /// Options for terms in the columns `fields`, numbered from `ordinalStart` if `ordinal` is not nil.
        package init(
            delimiter: String, fields: [String], fieldDelimiter: String? = nil, ordinal: String? = nil,
            ordinalStart: Int64 = 0
        ) {
            self.delimiter = delimiter
            self.fields = fields
            self.fieldDelimiter = fieldDelimiter
            self.ordinal = ordinal
            self.ordinalStart = ordinalStart
        }
    }

    /// The options for reading.
    package let options: Options
    /// The file's name, or the name of the text.
    package let sourceName: String
    /// The term's columns, and the column ``Options/ordinal`` if it is set. Known from the start.
    package let columns: [String]
    /// The table's bytes; nil for a text.
    package let source: ByteSource?
    private var isRead = false
    private var encoding = TextEncoding.utf8
    private let delimiter: [UInt8]
    let fieldDelimiter: [UInt8]
    private var text: [UInt8] = []
    /// The offset of the next term; nil after the last one.
    private var nextStart: Int? = 0
    private var termCount = 0
    private var failure: GranaryError?
    // The line of the next term, and the offset of that line.
    private var line = 1
    private var lineStart = 0

    /// Reads a file. One line end at the end of the file is ignored; a byte order mark is skipped.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for empty delimiters, a field delimiter that contains the
    ///   delimiter, and missing or duplicate columns.
    package convenience init(_ source: ByteSource, options: Options) throws(GranaryError) {
        try self.init(source, name: source.name, options)
        source.decodeText(as: options.encoding, allowsNUL: options.allowsNUL)
    }

    /// Reads a text. All of it belongs to the table, except for a final line end if the delimiter is a line feed.
    ///
    /// - Throws: as ``init(_:options:)``.
    package convenience init(text: String, name: String = "terms", options: Options) throws(GranaryError) {
        try self.init(nil, name: name, options)
        self.text = Array(text.utf8)
        // A final line end does not start another term.
        if delimiter == [0x0A] { dropLastLineEnd() }
    }

    private init(_ source: ByteSource?, name: String, _ options: Options) throws(GranaryError) {
        try Self.check(options)
        self.options = options
        self.source = source
        sourceName = name
        columns = options.fields + (options.ordinal.map { [$0] } ?? [])
        delimiter = Array(options.delimiter.utf8)
        fieldDelimiter = Array((options.fieldDelimiter ?? "").utf8)
    }

    /// Reads the table into memory.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if it is larger than the limit or in another encoding, or as
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

    /// Reads the next term. A malformed term still counts for the ordinals.
    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        try readHeader()
        guard let start = nextStart else { return .end }
        let found = text.withUnsafeBufferPointer { TermsText.firstDelimiter(delimiter, in: $0, from: start) }
        var end = found ?? text.count
        // If each line is a term, CR LF can end it; the last line end is already removed.
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
        // A byte order mark alone has no line end to remove.
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
        // Fields are ranges of the term's bytes.
        for (column, part) in parts(of: record).prefix(options.fields.count).enumerated() {
            let partStart = Int32(truncatingIfNeeded: part.lowerBound)
            record.fields.append(
                Record.Field(
                    kind: .quoted, column: Int32(truncatingIfNeeded: column), start: partStart,
                    end: Int32(truncatingIfNeeded: part.upperBound), rawStart: partStart))
        }
        guard options.ordinal != nil else { return }
        let (ordinal, overflow) = options.ordinalStart.addingReportingOverflow(Int64(termCount))
        // After the largest Integer 64, `problem` rejects the term.
        guard !overflow else { return }
        let length = Int32(truncatingIfNeeded: record.bytes.count)
        IntegerText.append(ordinal, to: &record.bytes)
        let bytesEnd = Int32(truncatingIfNeeded: record.bytes.count)
        let column = Int32(truncatingIfNeeded: options.fields.count)
        record.fields.append(Record.Field(kind: .number, column: column, start: length, end: bytesEnd, rawStart: 0))
    }

    private func problem(_ record: Record) -> Diagnostic? {
        func diagnostic(
            _ code: Diagnostic.Code, _ message: String, at offset: Int, help: String? = nil
        ) -> Diagnostic {
            Diagnostic(
                code, message, at: record.position(ofRaw: offset, file: sourceName),
                field: options.fields.count == 1 ? options.fields[0] : nil,
                help: help)
        }
        if record.raw.isEmpty {
            return diagnostic(
                .termsSyntax,
                text.isEmpty ? "the table has no term" : "an empty term; the delimiter separates two terms",
                at: 0)
        }
        let (invalid, nul) = record.raw.withUnsafeBufferPointer { raw in
            (UTF8Text.firstInvalid(in: raw), options.allowsNUL ? nil : UTF8Text.firstNUL(in: raw))
        }
        if let invalid, invalid < nul ?? .max {
            let message = record.raw.withUnsafeBufferPointer { encoding.problem(in: $0, at: invalid) }
            return diagnostic(.encodingInvalid, message, at: invalid)
        }
        if let nul { return diagnostic(.encodingInvalid, "U+0000 inside text", at: nul, help: "--allow-nul") }
        if let lineEnd = record.raw.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            return diagnostic(
                .termsSyntax,
                "a line end inside a term; a constant table is one line, line \(record.line + 1) is a second one",
                at: lineEnd)
        }
        if let problem = partProblem(record) { return problem }
        if record.fields.count < columns.count {
            return diagnostic(.valueRange, "the term's number does not fit an Integer 64", at: 0)
        }
        return nil
    }

    /// Updates the line while skipping the term and its delimiter.
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
