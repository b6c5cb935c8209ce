import GranaryBase
import GranaryFormats

/// A source that stands inside another file: its records have the places that they have there.
final class PlacedReader: WrappingReader {
    let base: any RecordReader
    private let start: SourcePosition

    /// - Parameter start: where the source's first byte stands.
    init(_ source: any RecordReader, start: SourcePosition) {
        base = source
        self.start = start
    }

    var entities: [String] { base.entities }

    /// Record by record: chunks have the places of the source itself.
    func nextChunk() throws(GranaryError) -> CSVChunk? { nil }

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
