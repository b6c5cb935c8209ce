import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Marks an object for deletion and applies the delete rules of its relationships: nullify removes it from the
    /// objects at the other end, cascade deletes them too. Deny is checked by the save, as in Core Data; no action does
    /// nothing.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the object belongs to another context or to none, for example
    ///   because its deletion was saved; any error from reading related objects.
    public func delete(_ object: ManagedObject) throws {
        try checkIsMine(object, "deleted")
        guard !object.isDeleted else {
            // Core Data calls the hook again (LIF-07, docs/core-data/behaviours.md#lif-life-of-an-object).
            during(.prepareForDeletion, of: object) { object.prepareForDeletion() }
            return
        }
        try mark(object)
        try finishDeletions()
    }

    /// Applies the delete rules of all marked objects. It uses a list instead of recursion, because a cascade may be as
    /// long as the data.
    func finishDeletions() throws {
        // A hook that deletes further objects calls this while the loop below runs; the loop handles them.
        guard !isDeleting else { return }
        isDeleting = true
        defer { isDeleting = false }
        while let next = pendingDeletions.popLast() {
            do { try propagateDeletion(of: next) } catch {
                pendingDeletions.append(next)
                throw error
            }
        }
    }

    private func mark(_ object: ManagedObject) throws {
        // Everything is read first, so that a failed deletion changes nothing.
        do { try object.fire() } catch let error as GranaryError where error.isObjectGone {
            // The object was deleted in the store already: its delete rules do not apply.
            object.isGoneFromStore = true
            return markDeleted(object)
        }
        let isRecording = undoManager?.isRecording ?? false
        for link in object.layout.relationships {
            let rule = link.relationship.description.deleteRule
            // Undo can restore only links that were read before the deletion.
            if isRecording || rule == .nullify || rule == .cascade { try object.load(link.end) }
        }
        object.record(.reinstate(object))
        markDeleted(object)
        pendingDeletions.append(object)
    }

    /// Updates the object's state without applying delete rules.
    func markDeleted(_ object: ManagedObject) {
        if object.isInserted {
            object.isInserted = false
            inserted.remove(object)
            discarded.insert(object)
        } else {
            object.isUpdated = false
            updated.remove(object)
            deleted.insert(object)
        }
        object.isDeleted = true
        changeCount += 1
        object.changeMark = changeCount
        noteDeletion(of: object)
    }

    private func propagateDeletion(of object: ManagedObject) throws {
        during(.prepareForDeletion, of: object) { object.prepareForDeletion() }
        for link in object.layout.relationships {
            let rule = link.relationship.description.deleteRule
            guard rule == .nullify || rule == .cascade else { continue }
            try object.load(link.end)
            for other in try objects(with: object.values[link.slot].ids) {
                if rule == .cascade {
                    try mark(other)
                } else {
                    if let inverse = link.inverse { try other.load(inverse) }
                    object.unlinkInverse(link, of: other)
                }
            }
        }
        try leaveExclusiveOwners(object)
    }

    /// Removes the object from relationships without an inverse, as the store will.
    private func leaveExclusiveOwners(_ object: ManagedObject) throws {
        for relationship in layouts.exclusiveRelationships(leadingTo: object.layout) {
            guard let id = exclusiveOwner(of: object.objectID, over: relationship.id),
                let owner = registeredObject(for: id),
                !owner.isDeleted
            else { continue }
            owner.forget(object.objectID, over: relationship.end)
            changeExclusiveOwner(to: nil, of: object.objectID, over: relationship.id)
        }
    }
}
