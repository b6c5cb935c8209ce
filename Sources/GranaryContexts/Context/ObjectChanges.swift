import GranaryCoordination

/// The changes in a context since the last announcement. (`NSManagedObjectContextObjectsDidChange`)
public struct ObjectChanges {
    /// The inserted objects.
    public var inserted: Set<ManagedObject> = []
    /// The objects with changed values.
    public var updated: Set<ManagedObject> = []
    /// The deleted objects, stored or new.
    public var deleted: Set<ManagedObject> = []
    /// The objects that were updated from the store or whose changes were discarded.
    public var refreshed: Set<ManagedObject> = []
    /// The objects that a reset removed from the context. (`NSInvalidatedAllObjectsKey`)
    public var invalidated: Set<ManagedObject> = []
}

/// Collects changes until they are announced.
extension ObjectChanges {
    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
    }

    mutating func noteUpdate(of object: ManagedObject) {
        if !inserted.contains(object), !deleted.contains(object) { updated.insert(object) }
    }

    /// - Returns: whether the deletion is announced. An object that was inserted and deleted between two announcements
    ///   is not.
    mutating func noteDeletion(of object: ManagedObject) -> Bool {
        updated.remove(object)
        guard inserted.remove(object) == nil else { return false }
        deleted.insert(object)
        return true
    }
}

extension ManagedObjectContext {
    /// Calls `body` whenever ``processPendingChanges()`` finds changes: at the end of a `perform`, before a save, and
    /// when it is called.
    ///
    /// Changes made in `body` are announced by the next call.
    @discardableResult
    public func addObserver(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        observerCount += 1
        observers[observerCount] = body
        return ContextObservation(number: observerCount)
    }

    /// Removes an observer.
    public func removeObserver(_ observation: ContextObservation) {
        observers[observation.number] = nil
        if !tracksChanges { pending = ObjectChanges() }
    }

    /// Merges pending saves if the context does so automatically, closes the current undo group, and announces the
    /// changes since the last call to the observers. (`processPendingChanges()`)
    ///
    /// - Throws: any error from merging.
    public func processPendingChanges() throws {
        try finishDeletions()
        merged = []
        try mergePendingSaves()
        announceChanges()
    }

    func announceChanges() {
        undoManager?.closeGroup()
        // Changes that an observer makes are announced by the next call, not inside this one.
        guard !isAnnouncing, tracksChanges, !pending.isEmpty || !followers.merged.isEmpty else { return }
        let changes = pending
        pending = ObjectChanges()
        tellObservers(changes)
    }

    func tellObservers(_ changes: ObjectChanges) {
        if isAnnouncing {
            // An observer has called `reset()`.
            pending.invalidated.formUnion(changes.invalidated)
            return
        }
        isAnnouncing = true
        defer { isAnnouncing = false }
        let (all, merged) = (followers.all, followers.merged)
        followers.merged = ContextFollowers.Merged()
        var bodies = changes.isEmpty ? [] : observers.sorted { $0.key < $1.key }.map(\.value)
        // Observers find results that have followed the changes.
        bodies = all.map { follower in { follower.follow($0, merged) } } + bodies
        // Outside a save, observers may save.
        guard !activities.isEmpty else { return bodies.forEach { $0(changes) } }
        during(.observer) { bodies.forEach { $0(changes) } }
    }
}
