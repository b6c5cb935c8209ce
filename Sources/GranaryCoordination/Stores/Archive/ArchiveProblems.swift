import GranaryBase

/// What is wrong with an archive; bounded, since a file may be wrong everywhere.
struct ArchiveProblems {
    private static let limit = 1_000

    private(set) var diagnostics: [Diagnostic] = []
    /// How many there were, those left out included.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func report(_ diagnostic: Diagnostic) {
        count += 1
        if diagnostics.count < Self.limit { diagnostics.append(diagnostic) }
    }

    /// - Throws: ``GranaryError`` with code `refused` when anything was reported.
    func check(_ path: String) throws(GranaryError) {
        guard !isEmpty else { return }
        let number = count == 1 ? "1 problem" : "\(count) problems"
        throw GranaryError(.refused, "\(path): the archive has \(number)", diagnostics: diagnostics)
    }
}
