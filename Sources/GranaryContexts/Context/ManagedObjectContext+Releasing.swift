import GranaryCoordination

/// What happens to the objects that outlive their context.
extension ManagedObjectContext {
    /// Called when the context is deallocated. Its unsaved changes are discarded. The objects that others retain go on
    /// in a new context, which they retain.
    ///
    /// A context cannot be retained by its objects from the start: a context that is dropped with unsaved changes would
    /// then never be deallocated, because it retains its changed objects.
    func release() {
        dropRecentList()
        undoManager?.detach()
        if hasObjectChanges || !discarded.isEmpty { discardForRelease() }
        forgetChanges()
        retained = []
        merged = []
        pendingDeletions = []
        pending = ObjectChanges()
        // Now only objects that others retain are registered.
        guard registered.count > 0 else { return }
        let successor = ManagedObjectContext(coordinator: persistentStoreCoordinator, parent: parent)
        successor.name = name
        successor.transactionAuthor = transactionAuthor
        successor.userInfo = userInfo
        successor.mergePolicy = mergePolicy
        successor.stalenessInterval = stalenessInterval
        successor.shouldDeleteInaccessibleFaults = shouldDeleteInaccessibleFaults
        successor.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
        // It may have saves that were not merged yet.
        successor.mailbox = mailbox
        successor.registered = registered
        for object in registered.objects {
            object.managedObjectContext = successor
            object.tie = .retaining(successor)
        }
        registered = RegisteredObjects()
    }

    /// No methods are called, because the context must not be retained any more.
    private func discardForRelease() {
        let loss = ContextLoss(.release, in: nil)
        for object in inserted.union(discarded) {
            forget(object)
            object.lose(loss)
            object.isInserted = false
            object.isDeleted = false
            object.snapshot = nil
        }
        // A fault whose row is gone has no stored values.
        let gone = ContextLoss(.merge, in: nil)
        for object in deleted where object.isInaccessible {
            forget(object)
            object.lose(gone)
            object.isDeleted = false
        }
        for object in updated.union(deleted) where object.managedObjectContext != nil {
            if let snapshot = object.snapshot { object.values = snapshot }
            object.snapshot = nil
            object.isUpdated = false
            object.isDeleted = false
            object.isRevived = false
            object.isGoneFromStore = false
        }
    }
}
