import GranaryBase

/// Feeds a ``RecordSplitter`` with chunks of a source and hands out the rows that it finds.
///
/// The splitter finds fields and records; ``CSVBatch`` keeps them, with places. Where quoting is broken, reading goes on behind the next physical line end; where the record has come over several lines, at the first of
/// them that fits the columns. Memory is bounded by one chunk and the limits of a record.
final class CSVTokenizer {
    enum Mode {
        case parsing
        /// The record is broken at an offset; its line's end is looked for.
        case broken(CSVBatch.Problem, at: Int)
        /// The record is broken at an offset, over several lines. Nothing is done before the rows ahead of it are
        /// handed out, and with that the columns and their judge known.
        case salvaging(CSVBatch.Problem, at: Int)
        case skippingLine
    }

    let source: ByteSource
    let options: CSVReader.Options
    let chunkBytes: Int
    let splitter: any RecordSplitter
    let batch: UnsafeMutablePointer<CSVBatch>
    var mode = Mode.parsing
    private var linesToSkip: Int
    /// Whether the line that is skipped is one of ``linesToSkip``, not a comment.
    private var isSkippingRow = false
    private let maximumSkippedBytes: Int
    /// The lines that ``CSVReader/Options/skipRows`` passed over, each ended by LF; about as many bytes as a record may
    /// have.
    private(set) var skippedRows: [UInt8] = []
    /// How many lines these were, those included that ``skippedRows`` had no room for.
    private(set) var skippedRowCount = 0
    /// Whether the source began with a byte order mark.
    private(set) var hasByteOrderMark = false
    /// How many raw bytes the splitter (or skipping) has taken.
    var fed = 0
    private var nextRow = 0
    /// Whether the splitter has paused at the start of a record, so that ``nextChunk(width:firstRecord:)`` can continue.
    private var isPaused = false
    /// The splitter pauses at the first record that starts after this many bytes.
    private static let pauseBytes = 1 << 12
    /// Finds regular records.
    var index: CSVIndex?
    /// The number of bytes that are indexed at a time.
    var indexWindow = maximumChunkBytes
    /// The source's offset of the first raw byte that is kept.
    private(set) var baseOffset = 0
    private var isStarted = false
    var isAtEnd = false
    /// Whether the last record has been ended.
    var isFinished = false

    /// Whether a broken record may be cut at a line that fits; not in a header.
    var isSalvaging = false
    /// How many columns there are; nil before they are known.
    var width: Int?
    var judge: (any FieldJudge)?
    /// How many bytes were looked at once more, to find lines that fit and behind them.
    var rereadBytes = 0
    /// Whether too many were, so that the last broken record was not cut.
    var isExhausted = false

    init(source: ByteSource, options: CSVReader.Options, chunkBytes: Int) throws(GranaryError) {
        self.source = source
        self.options = options
        self.chunkBytes = chunkBytes
        linesToSkip = options.skipRows
        maximumSkippedBytes = options.maximumRecordBytes
        splitter =
            options.splitting == .native
            ? NativeSplitter(delimiter: options.delimiter, quote: options.quote)
            : try LibCSVSplitter(delimiter: options.delimiter, quote: options.quote)
        batch = .allocate(capacity: 1)
        batch.initialize(to: CSVBatch(options: options, capacity: chunkBytes))
    }

    deinit {
        batch.pointee.deallocate()
        batch.deinitialize(count: 1)
        batch.deallocate()
    }

    var keepsBlankLines: Bool {
        get { batch.pointee.keepsBlankLines }
        set { batch.pointee.keepsBlankLines = newValue }
    }

    var droppedBlankLines: Int { batch.pointee.droppedBlankLines }

    /// The next row that is not handed out yet, read where necessary; nil at the end.
    func next() throws(GranaryError) -> CSVBatch.Row? {
        while nextRow >= batch.pointee.rows.count {
            guard try fill() else { return nil }
        }
        defer { nextRow += 1 }
        return batch.pointee.rows[nextRow]
    }

    /// How the row was cut that ``next()`` has just given; nil for a row that was not.
    var cut: CSVCut? { batch.pointee.cuts.isEmpty ? nil : batch.pointee.cuts[nextRow - 1] }

    /// How many fields the first whole record has that is not handed out yet; nil where there is none.
    ///
    /// - Throws: ``GranaryError`` with code `refused` where it is not among the next `limit` rows, which are kept.
    func peekFieldCount(limit: Int) throws(GranaryError) -> Int? {
        var index = nextRow
        while true {
            while index < batch.pointee.rows.count {
                let row = batch.pointee.rows[index]
                if row.problem == .none { return row.fieldsEnd - row.fieldsStart }
                index += 1
            }
            guard index - nextRow <= limit else {
                let message = "no record among the first \(limit) lines, the limit; say what the columns' names are"
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded, message,
                        at: SourcePosition(file: source.name, line: 1, column: 1, byteOffset: 0)))
            }
            // Filling throws rows away where all were handed out.
            if nextRow >= batch.pointee.rows.count { index = 0 }
            guard try fill() else { return nil }
        }
    }

    /// Copies a row that ``next()`` has just given.
    func copy(_ row: CSVBatch.Row, into record: inout Record) {
        record.removeAll()
        let batch = batch
        // The ranges lie inside the buffers: the batch has made them from its own counts.
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
                if !isStarted { start() }
            } else if !isStarted {
                while batch.pointee.rawCount < 3, try readChunk() > 0 {}
                start()
            }
        }
        try parse()
        if isAtEnd, !isFinished, fed >= batch.pointee.rawCount, !batch.pointee.isStopped { finish() }
        return true
    }

    /// Whether all rows that were found are handed out.
    var hasNoRows: Bool { nextRow >= batch.pointee.rows.count }

    /// Removes the bytes and rows that were handed out.
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

    /// How the first line ends, read on for where that is not known yet; LF where no line ends.
    func firstLineEnd() throws(GranaryError) -> [UInt8] {
        while !batch.pointee.knowsLineEnd {
            let before = (baseOffset + batch.pointee.rawCount, baseOffset + fed)
            guard try fill(), (baseOffset + batch.pointee.rawCount, baseOffset + fed) > before else { break }
        }
        return batch.pointee.lineEnd.isEmpty ? [0x0A] : batch.pointee.lineEnd
    }

    /// Keeps what is passed over of a line to skip: whoever writes a part of the file needs it again.
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

    /// Passes over the byte order mark.
    private func start() {
        isStarted = true
        let mark = TextEncodingMark.utf8Length(
            UnsafeBufferPointer(start: batch.pointee.raw, count: batch.pointee.rawCount))
        hasByteOrderMark = mark > 0
        batch.pointee.skip(count: mark)
        fed = mark
    }

    private func parse() throws(GranaryError) {
        let count = batch.pointee.rawCount
        // Many bytes are at hand only where a record was cut; the rows of all of them at once would take much memory.
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
        switch try splitter.split(batch, fed..<end, pausingBehind: fed + Self.pauseBytes) {
        case .taken(let taken):
            fed = taken
            isPaused = taken < end
            return
        case .broken(let place): broken = place
        }
        fed = broken
        let isQuote = batch.pointee.raw[broken] == batch.pointee.quote
        let problem = isQuote ? CSVBatch.Problem.quoteInField : .textAfterQuote
        mode = batch.pointee.isOverLines(to: broken) ? .salvaging(problem, at: broken) : .broken(problem, at: broken)
    }

    /// Ends the last record, where no line end has done so.
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
