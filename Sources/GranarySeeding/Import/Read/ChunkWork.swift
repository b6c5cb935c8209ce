import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// A chunk of regular CSV records and the rows that they become.
///
/// Proof of `@unchecked`: one thread uses it at a time. ``ChunkWorkers`` hands it over while its condition is locked. Proof for
/// the unchecked properties: no method calls back into itself, and each takes one part of the state at a time.
final class ChunkWork: @unchecked Sendable {
    enum Verdict: UInt8 {
        /// The record has the next row of ``rows``. Its primary key, natural keys and ordered references are still to be
        /// settled.
        case row
        /// The record is refused, for the next of ``problems``.
        case refused
        /// The same, where a search for help options would say more.
        case unexplained
        /// ``RecordIntake/take(_:_:of:file:)`` must read the record.
        case undecided
    }

    @exclusivity(unchecked) private var parser: ChunkRows
    private(set) var copy = CSVChunkCopy()
    /// Rows without primary keys.
    @exclusivity(unchecked) var rows = RowBatch()
    /// By record.
    private(set) var verdicts: [Verdict] = []
    /// The diagnostics of refused records, in the order of the records.
    private(set) var problems: [[Diagnostic]] = []
    /// By record, the physical line that it begins in; empty where each record is one line.
    private(set) var lines: [Int] = []
    /// Encodes the rows; nil if references must be looked up first.
    private let encoder: (any RowEncoder)?
    private let entity: Int
    private let emptyRow: [StoredCell]
    private let decidesAll: Bool
    @exclusivity(unchecked) private var record = Record()
    @exclusivity(unchecked) private var context: RowContext
    private let file: Int32
    /// Whether the rows are made.
    var isDone = false

    /// - Parameters:
    ///   - parser: is copied.
    ///   - name: the source's name.
    init(_ parser: ChunkRows, schema: Schema, file: Int32, name: String, encoder: (any RowEncoder)?) {
        self.parser = ChunkRows(copying: parser)
        entity = parser.entity.index
        emptyRow = parser.emptyRow
        decidesAll = parser.decidesAll
        self.encoder = parser.ordered.isEmpty ? encoder : nil
        self.file = file
        context = RowContext(schema: schema, keys: NaturalKeys(schema: schema, entities: []), keepsGood: false)
        context.setFile(name)
    }

    /// Takes a chunk in place of the last one.
    func begin(_ chunk: CSVChunk) {
        copy.copy(chunk)
        rows.removeAll()
        verdicts.removeAll(keepingCapacity: true)
        problems.removeAll()
        lines.removeAll(keepingCapacity: true)
        isDone = false
    }

    /// Makes the rows.
    func run() {
        copy.withChunk { chunk in
            var line = chunk.firstLine
            for index in 0..<chunk.recordCount {
                verdicts.append(verdict(index, of: chunk, line: line))
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

    private func verdict(_ index: Int, of chunk: CSVChunk, line: Int) -> Verdict {
        let byteCount = rows.bytes.count
        rows.appendRow(entity: entity, key: 0, version: 1, cells: emptyRow)
        if parser.fill(index, of: chunk, into: &rows) { return .row }
        if decidesAll {
            chunk.copy(index, line: line, into: &record)
            context.begin(record, file: file)
            parser.builder.hasSkippedHelp = false
            parser.fillDoubtful(record, into: &rows, &context)
            if context.diagnostics.isEmpty { return .row }
        }
        rows.removeLastRow()
        rows.bytes.removeSubrange(byteCount...)
        guard decidesAll, context.hasErrors else { return .undecided }
        problems.append(context.diagnostics)
        return parser.builder.hasSkippedHelp ? .unexplained : .refused
    }
}
