import GranaryBase
import GranaryCoordination
import GranaryModel

/// Faults whose rows are gone.
extension ManagedObject {
    /// Reads the values of a fault for an access by the app. Without its row it is deleted, if the context wants so.
    ///
    /// - Throws: as ``fire()``.
    func access() throws {
        guard isFault else { return }
        do { try fire() } catch let error as GranaryError where error.isObjectGone {
            // The object of a temporary ID may still come, with the save of a child context.
            guard let context = managedObjectContext, context.shouldDeleteInaccessibleFaults, !objectID.isTemporaryID
            else { throw error }
            context.deleteInaccessible(self)
        }
    }
}

extension ManagedObjectContext {
    /// Deletes a fault that cannot be fulfilled. Delete rules do not apply: the store has no links of it.
    fileprivate func deleteInaccessible(_ object: ManagedObject) {
        object.values = ObjectValues(object.layout.blanks)
        for link in object.layout.relationships where link.isToMany {
            object.values[link.slot] = .toMany(LinkedObjects(isOrdered: link.isOrdered))
        }
        object.snapshot = nil
        object.isFault = false
        object.isInaccessible = true
        object.isGoneFromStore = true
        if !object.isDeleted { markDeleted(object) }
    }
}
