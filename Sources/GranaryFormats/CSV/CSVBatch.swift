import Foundation

/// The fields and records that a ``RecordSplitter`` finds in a chunk, and a cursor through the raw bytes for the facts
/// that libcsv does not report (quoting, positions, blank lines).
///
/// It is a plain struct behind one pointer, because libcsv's callbacks are C functions and cannot capture anything.
/// Offsets count from the start of `raw`. There are never more decoded bytes than raw bytes, so both buffers have the
/// same capacity and the callbacks need not check it.
struct CSVBatch {
    /// The reason why a row is not a plain record.
    enum Problem: UInt8 {
        case none
        case blankLine
        case quoteInField, textAfterQuote, unclosedQuote
        // A limit was exceeded; reading ends.
        case tooManyFields, fieldTooLong, recordTooLong
        /// The cursor and the splitter disagree about the end of the record: a defect of Granary.
        case outOfStep

        /// Whether reading ends.
        var endsReading: Bool { rawValue >= Self.tooManyFields.rawValue }
    }

    struct Row {
        var rawStart: Int
        var rawEnd: Int
        var bytesStart: Int
        var bytesEnd: Int
        var fieldsStart: Int
        var fieldsEnd: Int
        /// The physical line in which the row begins.
        var line: Int
        var problem: Problem
        /// The offset of the problem from `rawStart`.
        var problemOffset: Int
    }

    let quote: UInt8
    let maximumFields: Int
    let maximumFieldBytes: Int
    let maximumRecordBytes: Int

    /// The source's bytes: rows that were not returned yet, then the unfinished record.
    private(set) var raw: UnsafeMutablePointer<UInt8>
    /// The bytes of all decoded fields, concatenated.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    var rawCount = 0
    var rows: [Row] = []
    var fields: [Record.Field] = []

    /// The offset of the next byte to interpret: the start of a record, or the end of the last field.
    var cursor = 0
    /// The offset of the unfinished record.
    private(set) var recordStart = 0
    private(set) var fieldCount = 0
    private(set) var recordBytes = 0
    private(set) var recordFields = 0
    var bytesCount = 0
    private var lineEndsInside = 0

    /// The physical line at the cursor.
    var line = 1
    /// Whether the byte before the cursor is a CR that ended a line, so that an LF at the cursor belongs to the same
    /// line end.
    var isAfterCR = false
    /// Whether a blank line becomes a row. Otherwise it is only counted.
    var keepsBlankLines = true
    var droppedBlankLines = 0
    /// Whether a limit was exceeded, so that nothing more is accepted.
    private(set) var isStopped = false
    /// The end of the first line: LF, CR or CR LF; empty before it is read.
    private(set) var lineEnd: [UInt8] = []
    /// Whether ``lineEnd`` is complete: an LF can follow a CR.
    private(set) var knowsLineEnd = false
    /// The cuts of rows whose quoting is broken over several lines, by row index.
    var cuts: [Int: CSVCut] = [:]

    init(options: CSVReader.Options, capacity: Int) {
        quote = options.quote
        maximumFields = options.maximumFields
        maximumFieldBytes = options.maximumFieldBytes
        maximumRecordBytes = options.maximumRecordBytes
        self.capacity = capacity
        raw = .allocate(capacity: capacity)
        bytes = .allocate(capacity: capacity)
    }

    func deallocate() {
        raw.deallocate()
        bytes.deallocate()
    }
}

// MARK: - Callbacks of the splitter

extension CSVBatch {
    /// Adds a field. The splitter calls it at the end of each field.
    mutating func endField(_ text: UnsafeRawPointer?, count: Int) {
        // The cursor is at the delimiter after the previous field.
        let start = fieldCount == 0 ? cursor : cursor &+ 1
        // The last field of a file that ends with a delimiter begins at the end of the bytes.
        let isQuoted = start < rawCount && raw[start] == quote
        endField(text, count: count, from: start, isQuoted: isQuoted, rawCount: nil)
    }

    /// - Parameter rawCount: the number of its raw bytes; nil if they follow from the text by the rules of RFC 4180.
    mutating func endField(
        _ text: UnsafeRawPointer?, count: Int, from start: Int, isQuoted: Bool, rawCount: Int?
    ) {
        guard !isStopped else { return }
        guard count <= maximumFieldBytes else { return stop(.fieldTooLong, at: start) }
        guard fieldCount < maximumFields else { return stop(.tooManyFields, at: start) }
        if let text, count > 0 {
            // There is room: `bytes` is as large as `raw`, and decoded text is not longer than its source.
            memcpy(bytes + bytesCount, text, count)
        }
        // Strict parsing: the raw field is its text with each quote doubled, and two quotes around it. Otherwise an
        // unquoted field can contain line ends too.
        let quotes = isQuoted || rawCount != nil ? countQuotes(from: bytesCount, count: count) &+ 2 : 0
        fields.append(
            Record.Field(
                kind: isQuoted ? .quoted : .text, column: Int32(truncatingIfNeeded: fieldCount),
                start: Int32(truncatingIfNeeded: bytesCount &- recordBytes),
                end: Int32(truncatingIfNeeded: bytesCount &- recordBytes &+ count),
                rawStart: Int32(truncatingIfNeeded: start &- recordStart)))
        bytesCount &+= count
        fieldCount &+= 1
        cursor = start &+ (rawCount ?? count &+ quotes)
    }

    /// Ends a record. The splitter calls it for a line end outside quotes, or with -1 at the end of the bytes.
    mutating func endRow(_ terminator: Int32) {
        guard !isStopped else { return }
        let isLineEnd = terminator >= 0
        // All offsets depend on this: the splitter's byte is the byte at the cursor.
        guard isLineEnd ? cursor < rawCount && Int32(raw[cursor]) == terminator : cursor == rawCount else {
            return stop(.outOfStep, at: recordStart)
        }
        if fieldCount == 0 {
            if isAfterCR, terminator == 0x0A {
                if !knowsLineEnd { noteLineEnd(0x0A, isBehindCR: true) }
                cursor &+= 1
                recordStart = cursor
                isAfterCR = false
                return
            }
            if keepsBlankLines { appendRow(.blankLine) } else { droppedBlankLines &+= 1 }
        } else {
            guard cursor &- recordStart <= maximumRecordBytes else { return stop(.recordTooLong, at: recordStart) }
            appendRow(.none)
        }
        line &+= lineEndsInside &+ 1
        if !knowsLineEnd, isLineEnd { noteLineEnd(UInt8(truncatingIfNeeded: terminator)) }
        startRecord(at: isLineEnd ? cursor &+ 1 : cursor)
        isAfterCR = terminator == 0x0D
    }

    /// Counts the quotes in a field's decoded bytes, and the line ends.
    private mutating func countQuotes(from start: Int, count: Int) -> Int {
        var quotes = 0
        var isAfterCR = false
        for index in start..<start &+ count {
            let byte = bytes[index]
            if byte == quote { quotes &+= 1 }
            // CR LF counts once.
            if byte == 0x0D || (byte == 0x0A && !isAfterCR) { lineEndsInside &+= 1 }
            isAfterCR = byte == 0x0D
        }
        return quotes
    }

    mutating func appendRow(_ problem: Problem, end: Int? = nil, problemOffset: Int = 0) {
        rows.append(
            Row(
                rawStart: recordStart, rawEnd: end ?? cursor, bytesStart: recordBytes, bytesEnd: bytesCount,
                fieldsStart: recordFields, fieldsEnd: fields.count, line: line, problem: problem,
                problemOffset: problemOffset))
    }

    /// Records the first line end.
    private mutating func noteLineEnd(_ byte: UInt8, isBehindCR: Bool = false) {
        guard lineEnd.isEmpty else {
            if isBehindCR { lineEnd.append(byte) }
            knowsLineEnd = true
            return
        }
        lineEnd = [byte]
        knowsLineEnd = byte == 0x0A
    }

    mutating func startRecord(at offset: Int) {
        cursor = offset
        recordStart = offset
        recordBytes = bytesCount
        recordFields = fields.count
        fieldCount = 0
        lineEndsInside = 0
    }
}

// MARK: - Operations of the tokeniser

extension CSVBatch {
    /// The offset of the unfinished field.
    var openFieldStart: Int { fieldCount == 0 ? cursor : min(cursor + 1, rawCount) }

    /// Accepts nothing more, because the current record exceeds a limit.
    mutating func stop(_ problem: Problem, at offset: Int) {
        appendRow(problem, end: max(offset, recordStart), problemOffset: offset - recordStart)
        isStopped = true
    }

    /// Ends the current record, which is malformed at `offset`, before the line end at `end` (or the end of the bytes).
    mutating func endBroken(_ problem: Problem, at offset: Int, end: Int) {
        let opening = noteOpening(problem, at: offset, end: end)
        appendRow(problem, end: end, problemOffset: (opening ?? offset) - recordStart)
        line += lineEnds(from: recordStart, to: end)
        skipLine(endingAt: end)
    }

    /// Skips the current line, which ends at `end`.
    mutating func skipLine(endingAt end: Int) {
        guard end < rawCount else { return startRecord(at: end) }
        line += 1
        if !knowsLineEnd { noteLineEnd(raw[end]) }
        isAfterCR = raw[end] == 0x0D
        startRecord(at: end + 1)
    }

    /// Skips the beginning of a line whose end is not read yet.
    mutating func skipAll() {
        startRecord(at: rawCount)
        isAfterCR = false
    }

    /// Skips the LF of a CR LF at the cursor.
    mutating func skipLF() {
        if !knowsLineEnd { noteLineEnd(0x0A, isBehindCR: true) }
        isAfterCR = false
        startRecord(at: cursor + 1)
    }

    /// Skips whole records that a chunk contains, and that end with LF.
    mutating func pass(to offset: Int, lines: Int) {
        line += lines
        isAfterCR = false
        startRecord(at: offset)
    }

    /// Skips a byte order mark at the start of the source.
    mutating func skip(count: Int) { startRecord(at: cursor + count) }

    func lineEnds(from start: Int, to end: Int) -> Int {
        var count = 0
        for index in start..<end {
            if raw[index] == 0x0A || (raw[index] == 0x0D && (index + 1 >= end || raw[index + 1] != 0x0A)) { count += 1 }
        }
        return count
    }

    /// Removes the returned rows and moves the unfinished record to the front.
    ///
    /// - Returns: the number of removed raw bytes.
    mutating func compact() -> Int {
        let gone = recordStart
        rows.removeAll(keepingCapacity: true)
        if !cuts.isEmpty { cuts.removeAll() }
        guard gone > 0 else { return 0 }
        // The kept ranges are inside the buffers; memmove allows overlaps.
        memmove(raw, raw + gone, rawCount - gone)
        memmove(bytes, bytes + recordBytes, bytesCount - recordBytes)
        fields.removeSubrange(..<recordFields)
        rawCount -= gone
        cursor -= gone
        bytesCount -= recordBytes
        recordStart = 0
        recordBytes = 0
        recordFields = 0
        return gone
    }

    /// Reserves room for `count` more raw bytes, and as many decoded bytes.
    mutating func reserve(_ count: Int) {
        guard capacity - rawCount < count else { return }
        // Doubling keeps the copying linear; the limit of a record bounds it.
        let larger = max(rawCount + count, min(capacity * 2, maximumRecordBytes + count))
        let newRaw = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        let newBytes = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memcpy(newRaw, raw, rawCount)
        memcpy(newBytes, bytes, bytesCount)
        deallocate()
        raw = newRaw
        bytes = newBytes
        capacity = larger
    }
}
