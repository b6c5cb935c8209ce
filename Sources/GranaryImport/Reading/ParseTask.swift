import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Consecutive records of a source and their rows: a chunk of regular CSV records, or records read one by one.
///
/// `@unchecked Sendable` is safe: one thread uses it at a time; ``OrderedWorkers`` passes it on while its condition is
/// locked. `@exclusivity(unchecked)` is safe: no method calls itself indirectly, and each accesses one property at a
/// time.
final class ParseTask: OrderedWork, @unchecked Sendable {
    enum Verdict: UInt8 {
        /// The record has the next row of ``rows``. Its primary key, natural keys and ordered references are assigned
        /// later.
        case row
        /// The record is rejected because of the next element of ``problems``.
        case rejected
        /// As ``rejected``, but no help options were searched for.
        case unexplained
        /// ``ImportReader/take(_:_:of:file:)`` must read the record.
        case undecided
        /// The reader could not read the record because of the next element of ``malformed``.
        case malformed
    }

    @exclusivity(unchecked) private var parser: ChunkParser
    /// The parser of which ``parser`` is a copy.
    let original: ChunkParser
    private var copy = CSVChunkCopy()
    /// Records that were read one by one; their memory is reused.
    @exclusivity(unchecked) private var records: [Record] = []
    private var recordCount = 0
    private var recordLimit = 0
    /// The number of the reader's columns after each record was read.
    private var columnCounts: [Int] = []
    private var recordBytes = 0
    private var isChunk = true
    /// The problems of records that the reader could not read, with the index of each.
    private(set) var malformed: [(record: Int, problem: Diagnostic)] = []
    /// Rows without primary keys.
    @exclusivity(unchecked) var rows = RowBatch()
    /// The digests of the rows, if equal rows are one object.
    private(set) var digests: [DistinctRows.Digest] = []
    /// The indexes of fields that are keys of rows and begin or end with spaces, in the order of the records.
    private(set) var spaced: [(record: Int, field: Int)] = []
    /// The verdict on each record.
    private(set) var verdicts: [Verdict] = []
    /// The diagnostics of rejected records, in the order of the records.
    private(set) var problems: [[Diagnostic]] = []
    /// The first physical line of each record; empty if each record is one line.
    private(set) var lines: [Int] = []
    /// Encodes the rows; nil if references must be looked up first.
    private let encoder: (any RowEncoder)?
    private let entity: Int
    private let emptyRow: [StoredCell]
    @exclusivity(unchecked) private var record = Record()
    @exclusivity(unchecked) private var context: RecordState
    private let file: Int32
    /// Whether ``run()`` has finished.
    var isDone = false

    /// - Parameters:
    ///   - parser: copied for this chunk.
    ///   - name: the source's name.
    init(_ parser: ChunkParser, schema: Schema, file: Int32, name: String, encoder: (any RowEncoder)?) {
        original = parser
        self.parser = ChunkParser(copying: parser)
        entity = parser.entity.index
        emptyRow = parser.emptyRow
        self.encoder = parser.ordered.isEmpty ? encoder : nil
        self.file = file
        context = RecordState(
            schema: schema, keys: KeyIndexes(schema: schema, entities: [], records: []), keepsGood: false)
        context.setFile(name)
    }

    /// Replaces the records by those of a chunk.
    func begin(_ chunk: CSVChunk) {
        begin(isChunk: true)
        copy.copy(chunk)
    }

    /// Replaces the records by none. ``read(_:other:entity:)`` adds records.
    ///
    /// - Parameter limit: the number of records with which the task is full.
    func beginRecords(limit: Int = fullRecords) {
        begin(isChunk: false)
        recordLimit = min(limit, Self.fullRecords)
    }

    private func begin(isChunk: Bool) {
        self.isChunk = isChunk
        // Otherwise each record would keep the memory of the largest one in its place.
        for index in 0..<recordCount where records[index].raw.count + records[index].bytes.count > Self.keptBytes {
            records[index] = Record()
        }
        recordCount = 0
        recordBytes = 0
        malformed.removeAll()
        rows.removeAll()
        rows.bytes.append(contentsOf: original.emptyBytes)
        digests.removeAll(keepingCapacity: true)
        spaced.removeAll(keepingCapacity: true)
        verdicts.removeAll(keepingCapacity: true)
        problems.removeAll()
        lines.removeAll(keepingCapacity: true)
        isDone = false
    }

    /// The numbers of records and of their bytes that are read before a task is full.
    static let fullRecords = 500
    private static let fullBytes = 1 << 19
    /// The size of a record whose memory is reused.
    private static let keptBytes = 1 << 12

    var isFull: Bool { recordCount >= recordLimit || recordBytes >= Self.fullBytes }
    var isEmpty: Bool { !isChunk && recordCount == 0 }

    /// What ``read(_:other:entity:)`` has done with a record.
    enum Addition {
        case added, end
        /// The record is in `other`.
        case otherEntity
    }

    /// Adds the next record of a reader, or its problem, if it is of an entity.
    ///
    /// - Parameter entity: ``Record/entity``.
    func read(_ reader: any RecordReader, other: inout Record, entity: Int32) throws(GranaryError) -> Addition {
        if recordCount == records.count { records.append(Record()) }
        switch try reader.next(into: &records[recordCount]) {
        case .end: return .end
        case .record:
            guard records[recordCount].entity == entity else {
                swap(&records[recordCount], &other)
                return .otherEntity
            }
        case .malformed(let problem): malformed.append((recordCount, problem))
        }
        recordBytes += records[recordCount].raw.count + records[recordCount].bytes.count
        if recordCount == columnCounts.count { columnCounts.append(0) }
        columnCounts[recordCount] = reader.columns.count
        recordCount += 1
        return .added
    }

    /// Calls `body` with the records.
    func withRecords<Result>(_ body: (TaskRecords) throws -> Result) rethrows -> Result? {
        if isChunk { return try copy.withChunk { try body(.chunk($0, lines: lines)) } }
        return try body(.records(records[..<recordCount], areLines: areLines))
    }

    /// The number of the reader's columns after a record was read, so that messages do not depend on what was read ahead;
    /// nil if they are all known.
    func columnCount(of index: Int) -> Int? { isChunk ? nil : columnCounts[index] }

    /// Whether consecutive records have consecutive numbers and lines.
    private var areLines: Bool {
        guard recordCount > 0 else { return true }
        let (line, number) = (records[0].line, records[0].number)
        return records[..<recordCount].indices.allSatisfy {
            records[$0].line == line &+ $0 && records[$0].number == number &+ $0
        }
    }

    /// Creates the rows.
    func run() {
        if isChunk { runChunk() } else { runRecords() }
        encoder?.encode(&rows)
    }

    private func runChunk() {
        copy.withChunk { chunk in
            var line = chunk.firstLine
            for index in 0..<chunk.recordCount {
                note(verdict(index, of: chunk, line: line), index)
                guard chunk.hasLineEndInside else {
                    line += 1
                    continue
                }
                lines.append(line)
                line += 1 + chunk.lineEndsInside(index)
            }
        }
    }

    private func runRecords() {
        var bad = malformed[...]
        for index in 0..<recordCount {
            if bad.first?.record == index {
                bad.removeFirst()
                verdicts.append(.malformed)
            } else {
                note(verdict(records[index]), index)
            }
        }
    }

    private func note(_ verdict: Verdict, _ record: Int) {
        verdicts.append(verdict)
        guard verdict == .row else { return }
        for field in parser.spaced { spaced.append((record, field)) }
        if let slots = parser.distinctSlots { digests.append(digest(slots)) }
    }

    /// The digest of the last row.
    private func digest(_ slots: [Int]) -> DistinctRows.Digest {
        var content = DistinctRows.Content(entity: entity)
        for slot in slots { content.add(slot: slot, row: rows.rows.count - 1, of: rows) }
        return content.digest
    }

    private func verdict(_ index: Int, of chunk: CSVChunk, line: Int) -> Verdict {
        let byteCount = addRow()
        if parser.fill(index, of: chunk, into: &rows) { return .row }
        guard parser.decidesAll else { return undecided(byteCount) }
        chunk.copy(index, line: line, into: &record)
        return explain(record, byteCount)
    }

    private func verdict(_ record: borrowing Record) -> Verdict {
        let byteCount = addRow()
        if parser.fill(record, into: &rows) { return .row }
        guard parser.decidesAll, !parser.isUndecided else { return undecided(byteCount) }
        return explain(record, byteCount)
    }

    /// Adds an empty row, and returns the number of bytes before it.
    private func addRow() -> Int {
        let byteCount = rows.bytes.count
        // An array would be retained and released for each row.
        emptyRow.withUnsafeBufferPointer { rows.appendRow(entity: entity, key: 0, version: 1, cells: $0) }
        return byteCount
    }

    private func undecided(_ byteCount: Int) -> Verdict {
        rows.removeLastRow()
        rows.bytes.removeSubrange(byteCount...)
        return .undecided
    }

    /// Reads the doubtful fields of the last row's record, and keeps their problems.
    private func explain(_ record: borrowing Record, _ byteCount: Int) -> Verdict {
        context.begin(record, file: file)
        parser.rowParser.hasSkippedHelp = false
        parser.fillDoubtful(record, into: &rows, &context)
        if context.diagnostics.isEmpty { return .row }
        _ = undecided(byteCount)
        guard context.hasErrors else { return .undecided }
        problems.append(context.diagnostics)
        return parser.rowParser.hasSkippedHelp ? .unexplained : .rejected
    }
}
