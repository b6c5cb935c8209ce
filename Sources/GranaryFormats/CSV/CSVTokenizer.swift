import GranaryBase

/// Feeds a ``RecordSplitter`` with chunks of a source and returns the rows that it finds.
///
/// The splitter finds fields and records; ``CSVBatch`` keeps them with their positions. After broken quoting, reading
/// continues after the next physical line end, or, if the record extends over several lines, at the first line that
/// fits the columns. Memory is bounded by one chunk and the limits of a record.
final class CSVTokenizer {
    enum Mode {
        case parsing
        /// The record is malformed at an offset; the end of its line is searched.
        case broken(CSVBatch.Problem, at: Int)
        /// The record is malformed at an offset and extends over several lines. The rows before it are returned first,
        /// so that the columns and their judge are known.
        case salvaging(CSVBatch.Problem, at: Int)
        case skippingLine
    }

    let source: ByteSource
    /// The delimiter changes if the first line names one.
    private(set) var options: CSVReader.Options
    let chunkBytes: Int
    private(set) var splitter: any RecordSplitter
    let batch: UnsafeMutablePointer<CSVBatch>
    var mode = Mode.parsing
    private var linesToSkip: Int
    /// Whether the skipped line is one of ``linesToSkip``, not a comment.
    private var isSkippingRow = false
    private let maximumSkippedBytes: Int
    /// The lines skipped by ``CSVReader/Options/skipRows``, each ended by LF; truncated near the limit of a record.
    private(set) var skippedRows: [UInt8] = []
    /// The number of skipped lines, including lines that ``skippedRows`` has no room for.
    private(set) var skippedRowCount = 0
    /// Whether the source began with a byte order mark.
    private(set) var hasByteOrderMark = false
    /// The number of raw bytes that were split or skipped.
    var fed = 0
    private var nextRow = 0
    /// Whether the splitter has paused at the start of a record, so that ``nextChunk(width:firstRecord:)`` can
    /// continue.
    private var isPaused = false
    /// The number of bytes after which the splitter pauses at the start of a record. At first it pauses after one
    /// record, because the header determines whether the others are regular.
    private var pauseBytes = 0
    private static let laterPauseBytes = 1 << 12
    /// Finds regular records.
    var index: CSVIndex?
    /// The number of bytes that are indexed at a time.
    var indexWindow = maximumChunkBytes
    /// The source offset of the first buffered raw byte.
    private(set) var baseOffset = 0
    private var isStarted = false
    var isAtEnd = false
    /// Whether the last record has been ended.
    var isFinished = false

    /// Whether a malformed record may be cut at a line that fits; false for a header.
    var isSalvaging = false
    /// The number of columns; nil before it is known.
    var width: Int?
    var judge: (any FieldTypeCheck)?
    /// The number of bytes that were read again to find lines that fit.
    var rereadBytes = 0
    /// Whether too many bytes were read again, so that the last malformed record was not cut.
    var isExhausted = false

    init(source: ByteSource, options: CSVReader.Options, chunkBytes: Int) throws(GranaryError) {
        self.source = source
        self.options = options
        self.chunkBytes = chunkBytes
        linesToSkip = options.skipRows
        maximumSkippedBytes = options.maximumRecordBytes
        splitter = try Self.splitter(options)
        batch = .allocate(capacity: 1)
        batch.initialize(to: CSVBatch(options: options, capacity: chunkBytes))
    }

    deinit {
        batch.pointee.deallocate()
        batch.deinitialize(count: 1)
        batch.deallocate()
    }

    /// libcsv knows neither escapes nor spaces around quotes.
    private static func splitter(_ options: CSVReader.Options) throws(GranaryError) -> any RecordSplitter {
        guard options.splitting == .libcsv, options.isStrict else { return NativeSplitter(options) }
        #if os(Linux) || os(macOS)
            return try LibCSVSplitter(delimiter: options.delimiter, quote: options.quote)
        #else
            throw GranaryError(.usage, "libcsv is not available on this system; use the native tokenizer")
        #endif
    }

    /// The fields of a row that ``next()`` has just returned.
    func fields(of row: CSVBatch.Row) -> ArraySlice<Record.Field> {
        batch.pointee.fields[row.fieldsStart..<row.fieldsEnd]
    }

    /// Whether a row that ``next()`` has just returned has no byte but delimiters.
    func hasDelimitersOnly(_ row: CSVBatch.Row) -> Bool {
        row.rawEnd - row.rawStart == row.fieldsEnd - row.fieldsStart - 1
            && (row.rawStart..<row.rawEnd).allSatisfy { batch.pointee.raw[$0] == options.delimiter }
    }

    var keepsBlankLines: Bool {
        get { batch.pointee.keepsBlankLines }
        set { batch.pointee.keepsBlankLines = newValue }
    }

    var droppedBlankLines: Int { batch.pointee.droppedBlankLines }

    /// The next row; nil at the end of the source.
    func next() throws(GranaryError) -> CSVBatch.Row? {
        while nextRow >= batch.pointee.rows.count {
            guard try fill() else { return nil }
        }
        defer { nextRow += 1 }
        return batch.pointee.rows[nextRow]
    }

    /// The cut of the row that ``next()`` has just returned; nil if it was not cut.
    var cut: CSVCut? { batch.pointee.cuts.isEmpty ? nil : batch.pointee.cuts[nextRow - 1] }

    /// The number of fields of the next whole record; nil if there is none.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if it is not among the next `limit` rows, which are kept.
    func peekFieldCount(limit: Int) throws(GranaryError) -> Int? {
        var index = nextRow
        while true {
            while index < batch.pointee.rows.count {
                let row = batch.pointee.rows[index]
                if row.problem == .none { return row.fieldsEnd - row.fieldsStart }
                index += 1
            }
            guard index - nextRow <= limit else {
                let message = "no record among the first \(limit) lines, the limit; name the columns"
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded, message,
                        at: SourcePosition(file: source.name, line: 1, column: 1, byteOffset: 0)))
            }
            // Filling removes the rows if all were returned.
            if nextRow >= batch.pointee.rows.count { index = 0 }
            guard try fill() else { return nil }
        }
    }

    /// Copies a row that ``next()`` has just returned.
    func copy(_ row: CSVBatch.Row, into record: inout Record) {
        record.removeAll()
        let batch = batch
        // The ranges are inside the buffers: the batch computed them from its counts.
        record.raw.append(
            contentsOf: UnsafeBufferPointer(start: batch.pointee.raw + row.rawStart, count: row.rawEnd - row.rawStart))
        record.bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: batch.pointee.bytes + row.bytesStart, count: row.bytesEnd - row.bytesStart))
        record.fields.append(contentsOf: batch.pointee.fields[row.fieldsStart..<row.fieldsEnd])
        record.line = row.line
        record.column = 1
        record.byteOffset = baseOffset + row.rawStart
    }

    /// Reads one chunk and parses it.
    ///
    /// - Returns: false at the end of the source.
    private func fill() throws(GranaryError) -> Bool {
        guard !isFinished, !batch.pointee.isStopped else { return false }
        if hasNoRows { letGo() }
        if case .salvaging(let problem, let offset) = mode {
            try salvage(problem, at: offset)
        } else if fed >= batch.pointee.rawCount, !isAtEnd {
            if try readChunk() == 0 {
                isAtEnd = true
                if !isStarted { try start() }
            } else if !isStarted {
                while batch.pointee.rawCount < SeparatorLine.maximumBytes, try readChunk() > 0 {}
                try start()
            }
        }
        try parse()
        if isAtEnd, !isFinished, fed >= batch.pointee.rawCount, !batch.pointee.isStopped { finish() }
        return true
    }

    /// Whether all rows were returned.
    var hasNoRows: Bool { nextRow >= batch.pointee.rows.count }

    /// Removes the returned rows and their bytes.
    func letGo() {
        let gone = batch.pointee.compact()
        baseOffset += gone
        fed -= gone
        nextRow = 0
        switch mode {
        case .broken(let problem, let offset): mode = .broken(problem, at: offset - gone)
        case .salvaging(let problem, let offset): mode = .salvaging(problem, at: offset - gone)
        case .parsing, .skippingLine: break
        }
    }

    /// The end of the first line, reading on if it is not known yet; LF if no line ends.
    func firstLineEnd() throws(GranaryError) -> [UInt8] {
        while !batch.pointee.knowsLineEnd {
            let before = (baseOffset + batch.pointee.rawCount, baseOffset + fed)
            guard try fill(), (baseOffset + batch.pointee.rawCount, baseOffset + fed) > before else { break }
        }
        return batch.pointee.lineEnd.isEmpty ? [0x0A] : batch.pointee.lineEnd
    }

    /// Keeps the bytes of a skipped line for ``CSVPreamble``.
    private func keepSkipped(upTo end: Int) {
        guard isSkippingRow, skippedRows.count < maximumSkippedBytes else { return }
        skippedRows.append(contentsOf: UnsafeBufferPointer(start: batch.pointee.raw + fed, count: end - fed))
    }

    private func endSkipped() {
        guard isSkippingRow else { return }
        skippedRowCount += 1
        if skippedRows.count < maximumSkippedBytes { skippedRows.append(0x0A) }
    }

    func readChunk() throws(GranaryError) -> Int {
        batch.pointee.reserve(chunkBytes)
        let start = batch.pointee.raw + batch.pointee.rawCount
        let count = try source.read(into: UnsafeMutableRawBufferPointer(start: start, count: chunkBytes))
        batch.pointee.rawCount += count
        return count
    }

    /// Skips the byte order mark, and a line that names the delimiter.
    private func start() throws(GranaryError) {
        isStarted = true
        let mark = TextEncodingMark.utf8Length(
            UnsafeBufferPointer(start: batch.pointee.raw, count: batch.pointee.rawCount))
        hasByteOrderMark = mark > 0
        batch.pointee.skip(count: mark)
        fed = mark
        let rest = UnsafeBufferPointer(start: batch.pointee.raw + mark, count: batch.pointee.rawCount - mark)
        guard linesToSkip == 0, let delimiter = SeparatorLine.delimiter(rest),
            delimiter == options.delimiter || !options.isDelimiterFixed
        else { return }
        var named = options
        named.delimiter = delimiter
        // A line that contradicts the other options is data.
        guard named.contradiction == nil else { return }
        options = named
        splitter = try Self.splitter(options)
        linesToSkip = 1
    }

    private func parse() throws(GranaryError) {
        let count = batch.pointee.rawCount
        // After a cut many bytes are buffered; splitting all of them at once would take much memory.
        let limit = min(count, fed + max(chunkBytes, (count - fed) / 8))
        isPaused = false
        while fed < limit, !batch.pointee.isStopped, !isPaused {
            switch mode {
            case .parsing: try parseRecords(to: limit)
            case .salvaging: return
            case .broken(let problem, let offset):
                guard let end = lineEnd(from: fed) else {
                    fed = batch.pointee.rawCount
                    break
                }
                batch.pointee.endBroken(problem, at: offset, end: end)
                fed = end + 1
                mode = .parsing
            case .skippingLine:
                guard let end = lineEnd(from: fed) else {
                    keepSkipped(upTo: batch.pointee.rawCount)
                    batch.pointee.skipAll()
                    fed = batch.pointee.rawCount
                    break
                }
                keepSkipped(upTo: end)
                endSkipped()
                batch.pointee.skipLine(endingAt: end)
                fed = end + 1
                mode = .parsing
            }
        }
        if !batch.pointee.isStopped { checkLimits() }
    }

    private func parseRecords(to limit: Int) throws(GranaryError) {
        var end = limit
        if linesToSkip > 0 || options.comment != nil {
            // Line by line, so that comments and skipped lines are found before the splitter reads them.
            if fed == batch.pointee.cursor {
                let first = batch.pointee.raw[fed]
                if batch.pointee.isAfterCR, first == 0x0A {
                    batch.pointee.skipLF()
                    fed += 1
                    return
                }
                if linesToSkip > 0 || first == options.comment {
                    isSkippingRow = linesToSkip > 0
                    linesToSkip = max(0, linesToSkip - 1)
                    mode = .skippingLine
                    return
                }
            }
            end = lineEnd(from: fed).map { $0 + 1 } ?? batch.pointee.rawCount
        }
        let broken: Int
        switch try splitter.split(batch, fed..<end, pausingBehind: fed + pauseBytes) {
        case .taken(let taken):
            fed = taken
            isPaused = taken < end
            if isPaused { pauseBytes = Self.laterPauseBytes }
            return
        case .broken(let place): broken = place
        }
        fed = broken
        let isQuote = batch.pointee.raw[broken] == batch.pointee.quote
        let problem = isQuote ? CSVBatch.Problem.quoteInField : .textAfterQuote
        mode = batch.pointee.isOverLines(to: broken) ? .salvaging(problem, at: broken) : .broken(problem, at: broken)
    }

    /// Ends the last record if no line end did.
    private func finish() {
        let end = batch.pointee.rawCount
        isFinished = true
        switch mode {
        case .skippingLine: return
        case .salvaging: isFinished = false
        case .broken(let problem, let offset): batch.pointee.endBroken(problem, at: offset, end: end)
        case .parsing:
            if !splitter.finish(batch) {
                let offset = batch.pointee.openFieldStart
                if batch.pointee.isOverLines(to: end) {
                    mode = .salvaging(.unclosedQuote, at: offset)
                    isFinished = false
                } else {
                    batch.pointee.endBroken(.unclosedQuote, at: offset, end: end)
                }
            }
        }
    }

    private func lineEnd(from start: Int) -> Int? {
        var index = start
        let end = batch.pointee.rawCount
        let raw = batch.pointee.raw
        while index < end {
            let byte = raw[index]
            if byte == 0x0A || byte == 0x0D { return index }
            index += 1
        }
        return nil
    }
}
