/// Keeps an error during the evaluation of a predicate, because subjects cannot throw.
final class SubjectFailure {
    var error: (any Error)?

    /// Throws the kept error.
    func check() throws {
        guard let error else { return }
        self.error = nil
        throw error
    }
}
