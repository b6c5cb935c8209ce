import GranaryBase
import GranaryFormats

/// Reads records whose texts are plain (``PlainValues``).
final class PlainReader: RecordReader {
    private let base: any RecordReader
    /// By the name of the column; texts of others stay as they are.
    private let named: [String: PlainValues]
    /// By column, as far as they are known.
    private var values: [PlainValues?] = []

    init(_ base: any RecordReader, _ values: [String: PlainValues]) {
        self.base = base
        named = values
    }

    var sourceName: String { base.sourceName }
    var columns: [String] { base.columns }
    var entities: [String] { base.entities }

    func headerPosition(ofColumn index: Int?) -> SourcePosition? { base.headerPosition(ofColumn: index) }

    func readHeader() throws(GranaryError) { try base.readHeader() }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        guard case .record = outcome, !named.isEmpty else { return outcome }
        if let last = record.fields.map(\.column).max(), Int(last) >= values.count {
            values = base.columns.map { named[$0] }
        }
        for index in record.fields.indices {
            let field = record.fields[index]
            guard field.kind == .text || field.kind == .quoted, !field.range.isEmpty,
                values.indices.contains(Int(field.column)), values[Int(field.column)] != nil
            else { continue }
            guard let text = values[Int(field.column)]?.plain(Array(record.bytes[field.range])) else {
                record.fields[index].kind = .null
                continue
            }
            record.fields[index].start = Int32(clamping: record.bytes.count)
            record.bytes += text
            record.fields[index].end = Int32(clamping: record.bytes.count)
        }
        return outcome
    }
}
