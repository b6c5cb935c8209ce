/// Identifies an observer of a context, for ``ManagedObjectContext/removeObserver(_:)``.
public struct ContextObservation: Sendable, Hashable {
    let number: Int
}
