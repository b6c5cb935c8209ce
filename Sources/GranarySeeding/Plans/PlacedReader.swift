import GranaryBase
import GranaryFormats

/// A source that stands inside another file: its records have the places that they have there.
final class PlacedReader: RecordReader {
    let base: any RecordReader
    private let start: SourcePosition

    /// - Parameter start: where the source's first byte stands.
    init(_ source: any RecordReader, start: SourcePosition) {
        base = source
        self.start = start
    }

    var sourceName: String { base.sourceName }
    var source: ByteSource? { base.source }
    var columns: [String] { base.columns }
    var entities: [String] { base.entities }

    func headerPosition(ofColumn index: Int?) -> SourcePosition? { base.headerPosition(ofColumn: index) }

    func readHeader() throws(GranaryError) { try base.readHeader() }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        if record.line == 1 { record.column += start.column - 1 }
        record.line += start.line - 1
        guard case .malformed(var diagnostic) = outcome, var position = diagnostic.position else { return outcome }
        if position.line == 1 { position.column += start.column - 1 }
        position.line += start.line - 1
        diagnostic.position = position
        return .malformed(diagnostic)
    }
}
