import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Marks an object for deletion and carries out the delete rules of its relationships: nullify takes it out of
    /// the objects at the other end, cascade deletes them too. Deny is checked by the save, as in Core Data; no
    /// action leaves what refers to the object as it is.
    ///
    /// An object of another context, or of none, is not deleted.
    ///
    /// - Throws: ``GranaryError`` when related objects cannot be read from the store.
    public func delete(_ object: ManagedObject) throws {
        guard object.managedObjectContext === self else { return }
        guard !object.isDeleted else {
            // Core Data calls the hook again (LIF-07).
            object.prepareForDeletion()
            return
        }
        try mark(object)
        try finishDeletions()
    }

    /// Carries out the delete rules of all objects marked so far. A list rather than recursion: a cascade may be as
    /// long as the data.
    func finishDeletions() throws {
        // A hook that deletes further objects comes here while the loop below runs; the loop goes on with them.
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
        // All reading comes first, so that a deletion that fails has done nothing.
        do { try object.fire() } catch let error as GranaryError {
            guard error.diagnostics.map(\.code) == [.objectGone] else { throw error }
            // Somebody else was faster: there is nothing left to delete, and nothing to follow from it.
            object.isGoneFromStore = true
            return markDeleted(object)
        }
        let isRecording = undoManager?.isRecording ?? false
        for link in object.layout.relationships {
            let rule = link.relationship.description.deleteRule
            // What the store forgets can come back by undo only when it was read before.
            if isRecording || rule == .nullify || rule == .cascade { try object.load(link.end) }
        }
        object.record(.reinstate(object))
        markDeleted(object)
        pendingDeletions.append(object)
    }

    /// The object's state alone; the delete rules are not run.
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
        if !observers.isEmpty { pending.noteDeletion(of: object) }
    }

    private func propagateDeletion(of object: ManagedObject) throws {
        object.prepareForDeletion()
        for link in object.layout.relationships {
            let rule = link.relationship.description.deleteRule
            guard rule == .nullify || rule == .cascade else { continue }
            try object.load(link.end)
            let value = object.values[link.slot]
            for other in try objects(with: link.isToMany ? value.toMany?.ids ?? [] : [value.toOne].compactMap { $0 }) {
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

    /// A relationship without an inverse cannot be nullified from this end, but a store lets go of the object all the
    /// same.
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
