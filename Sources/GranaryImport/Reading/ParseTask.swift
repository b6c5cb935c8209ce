import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// A chunk of regular CSV records and their rows.
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
    }

    @exclusivity(unchecked) private var parser: ChunkParser
    private(set) var copy = CSVChunkCopy()
    /// Rows without primary keys.
    @exclusivity(unchecked) var rows = RowBatch()
    /// The digests of the rows, if equal rows are one object.
    private(set) var digests: [DistinctRows.Digest] = []
    /// The fields of rows that are keys and begin or end with spaces, in the order of the records.
    private(set) var spaced: [(record: Int, column: Int)] = []
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
        self.parser = ChunkParser(copying: parser)
        entity = parser.entity.index
        emptyRow = parser.emptyRow
        self.encoder = parser.ordered.isEmpty ? encoder : nil
        self.file = file
        context = RecordState(
            schema: schema, keys: KeyIndexes(schema: schema, entities: [], records: []), keepsGood: false)
        context.setFile(name)
    }

    /// Replaces the chunk by another one.
    func begin(_ chunk: CSVChunk) {
        copy.copy(chunk)
        rows.removeAll()
        digests.removeAll(keepingCapacity: true)
        spaced.removeAll(keepingCapacity: true)
        verdicts.removeAll(keepingCapacity: true)
        problems.removeAll()
        lines.removeAll(keepingCapacity: true)
        isDone = false
    }

    /// Creates the rows.
    func run() {
        copy.withChunk { chunk in
            var line = chunk.firstLine
            for index in 0..<chunk.recordCount {
                verdicts.append(verdict(index, of: chunk, line: line))
                if verdicts.last == .row { for column in parser.spaced { spaced.append((index, column)) } }
                if let slots = parser.distinctSlots, verdicts.last == .row { digests.append(digest(slots)) }
                guard chunk.hasLineEndInside else {
                    line += 1
                    continue
                }
                lines.append(line)
                line += 1 + chunk.lineEndsInside(index)
            }
        }
        encoder?.encode(&rows)
    }

    /// The digest of the last row.
    private func digest(_ slots: [Int]) -> DistinctRows.Digest {
        var content = DistinctRows.Content(entity: entity)
        for slot in slots { content.add(slot: slot, row: rows.rows.count - 1, of: rows) }
        return content.digest
    }

    private func verdict(_ index: Int, of chunk: CSVChunk, line: Int) -> Verdict {
        let byteCount = rows.bytes.count
        rows.appendRow(entity: entity, key: 0, version: 1, cells: emptyRow)
        if parser.fill(index, of: chunk, into: &rows) { return .row }
        if parser.decidesAll {
            chunk.copy(index, line: line, into: &record)
            context.begin(record, file: file)
            parser.rowParser.hasSkippedHelp = false
            parser.fillDoubtful(record, into: &rows, &context)
            if context.diagnostics.isEmpty { return .row }
        }
        rows.removeLastRow()
        rows.bytes.removeSubrange(byteCount...)
        guard parser.decidesAll, context.hasErrors else { return .undecided }
        problems.append(context.diagnostics)
        return parser.rowParser.hasSkippedHelp ? .unexplained : .rejected
    }
}
