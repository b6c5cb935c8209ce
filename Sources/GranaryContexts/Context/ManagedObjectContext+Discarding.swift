import GranaryCoordination
import GranaryModel

/// Discards changes.
extension ManagedObjectContext {
    /// Reverts all changes since the last save and removes all undo and redo steps. New objects are removed; changed
    /// and deleted objects get their stored values.
    ///
    /// Inside a method or closure that the context calls for a save or a deletion it does nothing, and the next
    /// ``save()`` throws the error.
    public func rollback() {
        guard !refusesDiscarding("rollback()") else { return }
        undoManager?.removeAllActions()
        accessError = nil
        pendingDeletions = []
        let loss = ContextLoss(.rollback, in: self)
        for object in inserted.union(discarded) {
            noteDeletion(of: object)
            letGo(object, loss)
        }
        for object in updated.union(deleted) {
            if let snapshot = object.snapshot { object.values = snapshot }
            if object.isInaccessible || object.hasMissedMerge {
                object.isInaccessible = false
                object.hasMissedMerge = false
                object.turnIntoFault()
            }
            object.snapshot = nil
            object.isUpdated = false
            object.isDeleted = false
            object.isRevived = false
            object.isGoneFromStore = false
            if tracksChanges { pending.refreshed.insert(object) }
        }
        forgetChanges()
        // Owners may have changed with the values and are read again when needed.
        exclusiveOwners = [:]
        for object in registeredObjects { object.unloadExclusiveLinks() }
    }

    /// Discards all objects, changes and undo steps. Objects that had values become faults; observers are notified at
    /// once (``ObjectChanges/invalidated``). They keep their stored values, but can no longer be changed.
    ///
    /// Inside a method or closure that the context calls for a save or a deletion it does nothing, and the next
    /// ``save()`` throws the error.
    public func reset() {
        guard !refusesDiscarding("reset()") else { return }
        advanceQueryGeneration()
        undoManager?.removeAllActions()
        accessError = nil
        pendingDeletions = []
        let objects = discarded.union(registeredObjects)
        let loss = ContextLoss(.reset, in: self)
        for object in objects {
            // Without its context the object keeps its stored values but not its changes.
            if !object.isInserted { object.turnIntoFaultKeepingValues() }
            letGo(object, loss)
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
