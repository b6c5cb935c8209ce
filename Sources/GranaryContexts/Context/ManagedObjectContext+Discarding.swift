import GranaryCoordination
import GranaryModel

/// Discards changes.
extension ManagedObjectContext {
    /// Reverts all changes since the last save and removes all undo and redo steps. New objects are removed; changed
    /// and deleted objects get their stored values.
    public func rollback() {
        undoManager?.removeAllActions()
        accessError = nil
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
        // Owners may have changed with the values and are read again when needed.
        exclusiveOwners = [:]
        for object in registeredObjects { object.unloadExclusiveLinks() }
    }

    /// Discards all objects, changes and undo steps. Objects that had values become faults; observers are notified at
    /// once (``ObjectChanges/invalidated``).
    public func reset() {
        undoManager?.removeAllActions()
        accessError = nil
        pendingDeletions = []
        let objects = discarded.union(registeredObjects)
        for object in objects {
            // Without its context the object keeps its stored values but not its changes.
            if !object.isInserted { object.turnIntoFaultKeepingValues() }
            letGo(object)
        }
        forgetChanges()
        retained = []
        merged = []
        pending = ObjectChanges()
        exclusiveOwners = [:]
        guard !objects.isEmpty else { return }
        tellObservers(ObjectChanges(invalidated: objects))
    }
}
