import GranaryBase

/// How objects lost their context. Objects that lost it together share one.
final class ContextLoss {
    enum Reason {
        case reset, rollback, deletion, merge, replacement, release
    }

    private let reason: Reason
    /// The context that the objects were in.
    private weak var context: ManagedObjectContext?
    /// The first error of an access that cannot throw, if there is no context to remember it.
    private var accessError: (any Error)?

    init(_ reason: Reason, in context: ManagedObjectContext?) {
        self.reason = reason
        self.context = context
    }

    /// - Parameter consequence: what cannot be done: `its name cannot be set`.
    func error(_ object: ManagedObject, _ consequence: String) -> GranaryError {
        let cause =
            switch reason {
            case .reset: "has no context since reset()"
            case .rollback: "was never saved, and has no context since rollback()"
            case .deletion: "was deleted, and has no context since that was saved"
            case .merge: "was deleted in the store by others, and has no context any more"
            case .replacement: "has no context, because another object has its ID"
            case .release: "was never saved, and its context was released"
            }
        return GranaryError(.usage, "\(object) \(cause); \(consequence)")
    }

    func remember(_ error: any Error) {
        if let context { context.remember(error) } else { accessError = accessError ?? error }
    }

    func takeAccessError() -> (any Error)? {
        defer { accessError = nil }
        return accessError
    }
}
