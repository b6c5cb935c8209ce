import GranaryBase
import GranaryCoordination

/// What keeps a run from being taken back: the first ones, and how many there are.
struct RunConflicts {
    private static let limit = 20

    private var diagnostics: [Diagnostic] = []
    private var count = 0

    mutating func add(_ message: String, entity: String?) {
        count += 1
        guard diagnostics.count < Self.limit else { return }
        diagnostics.append(Diagnostic(.objectConflict, message, entity: entity))
    }

    /// - Throws: ``GranaryError`` with code `refused`.
    func throwIfAny(_ path: String, _ run: String) throws(GranaryError) {
        guard count > 0 else { return }
        let shown = count > diagnostics.count ? "; the first \(diagnostics.count) are named" : ""
        throw GranaryError(
            .refused,
            "\(path): the run \(run) cannot be taken back, the store has changed since in \(count) "
                + "place\(count == 1 ? "" : "s")\(shown)", diagnostics: diagnostics)
    }
}
