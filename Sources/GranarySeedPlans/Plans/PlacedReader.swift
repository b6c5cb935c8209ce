import GranaryBase
import GranaryFormats

/// A reader of a source inside another file. Its positions are converted to positions in that file.
final class PlacedReader: WrappingReader {
    let base: any RecordReader
    private let start: SourcePosition

    /// - Parameter start: the position of the source's first byte in the file.
    init(_ source: any RecordReader, start: SourcePosition) {
        base = source
        self.start = start
    }

    var entities: [String] { base.entities }

    /// Returns nil: records are read one by one, because chunks contain positions in the source itself.
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
