import GranaryBase

/// The result of evaluating a predicate.
package enum PredicateOutcome: Sendable, Hashable {
    case holds, fails
    /// The evaluation gave up, so the result is unknown.
    case stopped(PredicateStop)

    /// Whether the predicate is true.
    ///
    /// - Throws: ``GranaryError`` if the evaluation gave up.
    package var holds: Bool {
        get throws(GranaryError) {
            switch self {
            case .holds: true
            case .fails: false
            case .stopped(let stop): throw stop.error
            }
        }
    }
}
