import GranaryBase
import GranaryCoordination

/// Reverts one change of a context. Applying a step returns the step that repeats the change.
enum UndoStep {
    /// Restores a property's value.
    case set(ManagedObject, slot: Int, SlotValue)
    /// Restores a member of a to-many relationship, at its place if it is ordered.
    case link(ManagedObject, slot: Int, ManagedObjectID, place: Int?)
    /// Removes a member of a to-many relationship.
    case unlink(ManagedObject, slot: Int, ManagedObjectID)
    /// Removes an inserted object from the context.
    case withdraw(ManagedObject)
    /// Restores a deleted object.
    case reinstate(ManagedObject)
    /// Restores the owner of a member of a to-many relationship without an inverse.
    case exclusiveOwner(ManagedObjectID?, of: ManagedObjectID, over: LinkLayout.ID)

    /// The object that the step changes; nil if there is none.
    var object: ManagedObject? {
        switch self {
        case .set(let object, _, _), .link(let object, _, _, _), .unlink(let object, _, _), .withdraw(let object),
            .reinstate(let object):
            object
        case .exclusiveOwner: nil
        }
    }
}
