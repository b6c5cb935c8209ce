#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a ``RecordSplitter`` fills while one chunk is split: the fields and records found, and a cursor through the raw
/// bytes that tells what libcsv does not say (quoting, positions, blank lines).
///
/// It is plain state behind one pointer: libcsv's callbacks are C functions and cannot capture anything. Offsets count
/// from the start of `raw`. Decoded bytes are never more than raw bytes, so both buffers have one capacity and the
/// callbacks need not check it.
struct CSVBatch {
    /// Why a row is not a plain record.
    enum Problem: UInt8 {
        case none
        case blankLine
        case quoteInField, textAfterQuote, unclosedQuote
        // A limit was passed; nothing is read behind it.
        case tooManyFields, fieldTooLong, recordTooLong
        /// The cursor and the splitter do not agree on where the record ends: a defect, and nothing can be trusted.
        case outOfStep

        /// Whether nothing is read behind it.
        var endsReading: Bool { rawValue >= Self.tooManyFields.rawValue }
    }

    struct Row {
        var rawStart: Int
        var rawEnd: Int
        var bytesStart: Int
        var bytesEnd: Int
        var fieldsStart: Int
        var fieldsEnd: Int
        /// The physical line that the row begins in.
        var line: Int
        var problem: Problem
        /// Where the problem is, counted from `rawStart`.
        var problemOffset: Int
    }

    let quote: UInt8
    let maximumFields: Int
    let maximumFieldBytes: Int
    let maximumRecordBytes: Int

    /// The source's bytes: rows not handed out yet, then the record that is not whole yet.
    private(set) var raw: UnsafeMutablePointer<UInt8>
    /// The decoded fields' bytes, one after the other.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    var rawCount = 0
    var rows: [Row] = []
    var fields: [Record.Field] = []

    /// Where the next byte to explain stands: the start of a record, or the end of the field called back last.
    var cursor = 0
    /// The record that is not whole yet.
    private(set) var recordStart = 0
    private(set) var fieldCount = 0
    private(set) var recordBytes = 0
    private(set) var recordFields = 0
    var bytesCount = 0
    private var lineEndsInside = 0

    /// The physical line at the cursor.
    var line = 1
    /// Whether the byte before the cursor is a CR that ended a line: an LF at the cursor belongs to it.
    var isAfterCR = false
    /// Whether a blank line becomes a row, or is only counted.
    var keepsBlankLines = true
    var droppedBlankLines = 0
    /// Whether a limit was passed: nothing more is taken.
    private(set) var isStopped = false
    /// How the first line ends: LF, CR, or CR LF; empty before its end.
    private(set) var lineEnd: [UInt8] = []
    /// Whether ``lineEnd`` is whole: behind a CR an LF may follow.
    private(set) var knowsLineEnd = false
    /// How rows were cut whose quoting is broken over several lines, by their index.
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

// MARK: - What the splitter calls

extension CSVBatch {
    /// The splitter has come to the end of a field.
    mutating func endField(_ text: UnsafeRawPointer?, count: Int) {
        guard !isStopped else { return }
        // The cursor stands on the delimiter behind the field before.
        let start = fieldCount == 0 ? cursor : cursor &+ 1
        // The last field of a file that ends with a delimiter begins at the end of the bytes.
        let isQuoted = start < rawCount && raw[start] == quote
        guard count <= maximumFieldBytes else { return stop(.fieldTooLong, at: start) }
        guard fieldCount < maximumFields else { return stop(.tooManyFields, at: start) }
        if let text, count > 0 {
            // Room: `bytes` is as large as `raw`, and what is decoded is not longer than what it came from.
            memcpy(bytes + bytesCount, text, count)
        }
        // Strict parsing: the raw field is its text, each quote in it once more, and the two around it.
        let quotes = isQuoted ? countQuotes(from: bytesCount, count: count) &+ 2 : 0
        fields.append(
            Record.Field(
                kind: isQuoted ? .quoted : .text, column: Int32(truncatingIfNeeded: fieldCount),
                start: Int32(truncatingIfNeeded: bytesCount &- recordBytes),
                end: Int32(truncatingIfNeeded: bytesCount &- recordBytes &+ count),
                rawStart: Int32(truncatingIfNeeded: start &- recordStart)))
        bytesCount &+= count
        fieldCount &+= 1
        cursor = start &+ count &+ quotes
    }

    /// The splitter has come to a line end outside quotes, or with -1 to the end of the bytes.
    mutating func endRow(_ terminator: Int32) {
        guard !isStopped else { return }
        let isLineEnd = terminator >= 0
        // All offsets rest on this: the byte that the splitter calls for is the one at the cursor.
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

    /// Counts the quotes in a field's decoded bytes, and notes the line ends.
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

    /// Notes a line end until the first one is known.
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

// MARK: - What the tokeniser does between calls of the splitter

extension CSVBatch {
    /// Where the field begins that the splitter is in the middle of.
    var openFieldStart: Int { fieldCount == 0 ? cursor : min(cursor + 1, rawCount) }

    /// Takes nothing more: a limit was passed in the record at hand.
    mutating func stop(_ problem: Problem, at offset: Int) {
        appendRow(problem, end: max(offset, recordStart), problemOffset: offset - recordStart)
        isStopped = true
    }

    /// Ends the record at hand, which is broken at `offset`, before the line end at `end` (or the end of the bytes).
    mutating func endBroken(_ problem: Problem, at offset: Int, end: Int) {
        let opening = noteOpening(problem, at: offset, end: end)
        appendRow(problem, end: end, problemOffset: (opening ?? offset) - recordStart)
        line += lineEnds(from: recordStart, to: end)
        skipLine(endingAt: end)
    }

    /// Goes on behind the line end at `end`, as if the line had not been there.
    mutating func skipLine(endingAt end: Int) {
        guard end < rawCount else { return startRecord(at: end) }
        line += 1
        if !knowsLineEnd { noteLineEnd(raw[end]) }
        isAfterCR = raw[end] == 0x0D
        startRecord(at: end + 1)
    }

    /// Lets go of bytes at the front of a line that is skipped and whose end is not read yet.
    mutating func skipAll() {
        startRecord(at: rawCount)
        isAfterCR = false
    }

    /// Passes over the LF of a CR LF that stands at the cursor.
    mutating func skipLF() {
        if !knowsLineEnd { noteLineEnd(0x0A, isBehindCR: true) }
        isAfterCR = false
        startRecord(at: cursor + 1)
    }

    /// Passes over whole records that were taken as they are, and that end with LF.
    mutating func pass(to offset: Int, lines: Int) {
        line += lines
        isAfterCR = false
        startRecord(at: offset)
    }

    /// Passes over bytes at the start of the source: a byte order mark.
    mutating func skip(count: Int) { startRecord(at: cursor + count) }

    func lineEnds(from start: Int, to end: Int) -> Int {
        var count = 0
        for index in start..<end {
            if raw[index] == 0x0A || (raw[index] == 0x0D && (index + 1 >= end || raw[index + 1] != 0x0A)) { count += 1 }
        }
        return count
    }

    /// Throws away what was handed out: moves the record that is not whole yet to the front.
    ///
    /// - Returns: how many raw bytes went.
    mutating func compact() -> Int {
        let gone = recordStart
        rows.removeAll(keepingCapacity: true)
        if !cuts.isEmpty { cuts.removeAll() }
        guard gone > 0 else { return 0 }
        // The kept ranges lie inside the buffers; memmove allows that they overlap.
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

    /// Makes room for `count` more raw bytes, and as many decoded ones.
    mutating func reserve(_ count: Int) {
        guard capacity - rawCount < count else { return }
        // Doubling keeps the copying linear; the records' limit bounds it.
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
