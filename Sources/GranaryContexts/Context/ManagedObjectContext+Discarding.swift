import GranaryCoordination
import GranaryModel

/// Giving up changes.
extension ManagedObjectContext {
    /// Takes back every change since the last save: new objects go, changed and deleted ones are as they were stored.
    /// There is nothing to undo or redo any more.
    public func rollback() {
        undoManager?.removeAllActions()
        pendingDeletions = []
        for object in inserted.union(discarded) {
            if !observers.isEmpty { pending.noteDeletion(of: object) }
            letGo(object)
        }
        for object in updated.union(deleted) {
            if let snapshot = object.snapshot { object.values = snapshot }
            object.snapshot = nil
            object.isUpdated = false
            object.isDeleted = false
            object.isRevived = false
            object.isGoneFromStore = false
            if !observers.isEmpty { pending.refreshed.insert(object) }
        }
        forgetChanges()
        // Who owns what may have changed with the values; it is read again when it is needed.
        exclusiveOwners = [:]
        for object in registeredObjects { object.unloadExclusiveLinks() }
    }

    /// Discards all objects, changes and undo steps. Objects that had values become faults; observers are notified at once (``ObjectChanges/invalidated``).
    public func reset() {
        undoManager?.removeAllActions()
        pendingDeletions = []
        let objects = discarded.union(registeredObjects)
        for object in objects {
            // Without its context it has what was read for it, and nothing that was set.
            if !object.isInserted { object.turnIntoFaultKeepingValues() }
            letGo(object)
        }
        forgetChanges()
        retained = []
        merged = []
        pending = PendingChanges()
        exclusiveOwners = [:]
        guard !objects.isEmpty else { return }
        tellObservers(ObjectChanges(invalidated: objects))
    }
}
