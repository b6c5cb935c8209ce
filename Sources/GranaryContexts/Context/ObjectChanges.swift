import GranaryCoordination

/// What has changed in a context since the last announcement. (`NSManagedObjectContextObjectsDidChange`)
public struct ObjectChanges {
    /// Objects that are new.
    public var inserted: Set<ManagedObject> = []
    /// Objects of which a value was changed.
    public var updated: Set<ManagedObject> = []
    /// Objects that the next save removes, or that were new and are gone.
    public var deleted: Set<ManagedObject> = []
    /// Objects that took over what the store has, or lost their changes.
    public var refreshed: Set<ManagedObject> = []
    /// The objects that the context has let go of, because it was reset. (`NSInvalidatedAllObjectsKey`)
    public var invalidated: Set<ManagedObject> = []
}

/// An observer of a context, for ``ManagedObjectContext/removeObserver(_:)``.
public struct ContextObservation: Sendable, Hashable {
    let number: Int
}

/// What will be announced next.
struct PendingChanges {
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []
    var refreshed: Set<ManagedObject> = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    mutating func noteUpdate(of object: ManagedObject) {
        if !inserted.contains(object), !deleted.contains(object) { updated.insert(object) }
    }

    mutating func noteDeletion(of object: ManagedObject) {
        updated.remove(object)
        // What came and went between two announcements was never there.
        if inserted.remove(object) == nil { deleted.insert(object) }
    }
}

extension ManagedObjectContext {
    /// Calls `body` whenever ``processPendingChanges()`` finds changes: at the end of a `perform`, before a save, and
    /// when it is called.
    ///
    /// Changes made inside `body` are announced by the next call.
    @discardableResult
    public func addObserver(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        observerCount += 1
        observers[observerCount] = body
        return ContextObservation(number: observerCount)
    }

    /// Ends an observation.
    public func removeObserver(_ observation: ContextObservation) {
        observers[observation.number] = nil
        if observers.isEmpty { pending = PendingChanges() }
    }

    /// Merges what others have saved, where the context does so by itself; ends the group of changes that undo takes back
    /// as one; announces the changes since the last call to the observers. (`processPendingChanges()`)
    ///
    /// - Throws: what merging throws.
    public func processPendingChanges() throws {
        try finishDeletions()
        merged = []
        try mergePendingSaves()
        announceChanges()
    }

    func announceChanges() {
        undoManager?.closeGroup()
        guard !observers.isEmpty, !pending.isEmpty else { return }
        let changes = ObjectChanges(
            inserted: pending.inserted, updated: pending.updated, deleted: pending.deleted,
            refreshed: pending.refreshed)
        pending = PendingChanges()
        tellObservers(changes)
    }

    func tellObservers(_ changes: ObjectChanges) {
        for (_, body) in observers.sorted(by: { $0.key < $1.key }) { body(changes) }
    }
}
