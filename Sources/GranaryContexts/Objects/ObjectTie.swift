import GranaryBase

/// How an object that is not simply registered in its context is tied to contexts. One stored property keeps objects
/// small.
enum ObjectTie {
    /// The object is registered in a context that others retain, or never had one.
    case none
    /// The object was created without a context.
    case detached(Detachment)
    /// The object has lost its context.
    case lost(ContextLoss)
    /// The object retains its context, because the context that it came from was deallocated before it.
    case retaining(ManagedObjectContext)
}

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

extension ManagedObject {
    /// What an object that was created without a context has until it is inserted; nil for all others.
    var detachment: Detachment? {
        get { if case .detached(let detachment) = tie { detachment } else { nil } }
        set { tie = newValue.map { .detached($0) } ?? .none }
    }

    /// How the object lost its context; nil for all others.
    var loss: ContextLoss? { if case .lost(let loss) = tie { loss } else { nil } }

    /// Removes the object's context.
    func lose(_ loss: ContextLoss) {
        managedObjectContext = nil
        tie = .lost(loss)
    }

    /// - Throws: ``GranaryError`` with code `usage` if the object has lost its context, so that a change of a property
    ///   would never be saved.
    func refuseLostChange(_ property: String) throws(GranaryError) {
        // Values that `awakeFromFetch` sets are not changes.
        guard case .lost(let loss) = tie, !isAwakening else { return }
        throw loss.error(self, "its \(property) cannot be changed")
    }
}
