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
