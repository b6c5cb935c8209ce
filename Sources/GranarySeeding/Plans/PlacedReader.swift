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

/// The problems of a plan, without duplicates.
final class PlanProblems {
    private let file: String
    private var known: Set<Diagnostic> = []
    /// Whether all problems are missing files.
    private var isAllMissingFiles = true

    init(file: String) { self.file = file }

    var isEmpty: Bool { known.isEmpty }

    /// Adds a problem. Duplicates are ignored, because the defaults are read again for every import.
    func add(
        _ code: Diagnostic.Code, _ message: String, at position: SourcePosition, field: String? = nil,
        value: String? = nil, isMissingFile: Bool = false
    ) {
        if !isMissingFile { isAllMissingFiles = false }
        known.insert(Diagnostic(code, message, at: position, field: field, value: value))
    }

    /// - Throws: ``GranaryError`` with all problems in the order of the file: `unreadable` if all are missing files,
    ///   otherwise `refused`.
    func throwIfAny() throws(GranaryError) {
        guard let first = known.first else { return }
        let sorted = known.sorted { left, right in
            let places = [left, right].map { ($0.position?.line ?? 0, $0.position?.column ?? 0) }
            return places[0] == places[1] ? left.message < right.message : places[0] < places[1]
        }
        let message = known.count == 1 ? first.message : "\(file): the plan has \(known.count) mistakes"
        throw GranaryError(isAllMissingFiles ? .unreadable : .refused, message, diagnostics: sorted)
    }
}
