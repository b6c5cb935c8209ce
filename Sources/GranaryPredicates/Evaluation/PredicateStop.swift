package import GranaryBase

/// The reason why an evaluation gave up, so that its result is unknown.
package enum PredicateStop: Sendable, Hashable {
    /// A `MATCHES` exceeded ICU's limit.
    case patternLimit
    /// A key path led to more than ``PredicateRun/elementLimit`` objects or values.
    case elementLimit
    /// The work was cancelled.
    case interrupted

    /// The error of a search whose predicate gave up.
    package var error: GranaryError {
        switch self {
        case .patternLimit:
            GranaryError(
                Diagnostic(
                    .valuePatternLimit,
                    "a match of the predicate exceeded its limit; make the regular expression simpler"))
        case .elementLimit:
            GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "a key path leads from one object to more than \(PredicateRun.elementLimit) objects or values, the "
                        + "limit; use a shorter key path"))
        case .interrupted: GranaryError(.interrupted, "interrupted")
        }
    }
}
