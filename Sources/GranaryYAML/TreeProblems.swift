package import GranaryBase

/// The problems of a file, without duplicates.
package final class TreeProblems {
    private let file: String
    private let kind: TreeKind
    private var known: Set<Diagnostic> = []
    /// Whether all problems are missing files.
    private var isAllMissingFiles = true

    package init(file: String, kind: TreeKind) {
        self.file = file
        self.kind = kind
    }

    package var isEmpty: Bool { known.isEmpty }

    /// Adds a problem. Duplicates are ignored, because the defaults of a plan are read again for every import.
    package func add(
        _ code: Diagnostic.Code, _ message: String, at position: SourcePosition, field: String? = nil,
        value: String? = nil, isMissingFile: Bool = false
    ) {
        if !isMissingFile { isAllMissingFiles = false }
        known.insert(Diagnostic(code, message, at: position, field: field, value: value))
    }

    /// - Throws: ``GranaryError`` with all problems in the order of the file: `unreadable` if all are missing files,
    ///   otherwise `refused`.
    package func throwIfAny() throws(GranaryError) {
        guard let first = known.first else { return }
        let sorted = known.sorted { left, right in
            let places = [left, right].map { ($0.position?.line ?? 0, $0.position?.column ?? 0) }
            return places[0] == places[1] ? left.message < right.message : places[0] < places[1]
        }
        let message = known.count == 1 ? first.message : "\(file): the \(kind.noun) has \(known.count) mistakes"
        throw GranaryError(isAllMissingFiles ? .unreadable : .refused, message, diagnostics: sorted)
    }
}
