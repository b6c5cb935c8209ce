import GranaryCoordination

/// How one change of a context is taken back. Taking it back gives the step that makes the change again.
enum UndoStep {
    /// Gives a property the value it had.
    case set(ManagedObject, slot: Int, SlotValue)
    /// Puts a member of a to-many relationship back, in its place where there is an order.
    case link(ManagedObject, slot: Int, ManagedObjectID, place: Int?)
    /// Takes a member out of a to-many relationship.
    case unlink(ManagedObject, slot: Int, ManagedObjectID)
    /// Takes an object back out of the context.
    case withdraw(ManagedObject)
    /// Brings a deleted object back.
    case reinstate(ManagedObject)
    /// Who holds a member of a to-many relationship that has no inverse.
    case exclusiveOwner(ManagedObjectID?, of: ManagedObjectID, over: LinkLayout.ID)

    /// The object that it changes; nil where that is none.
    var object: ManagedObject? {
        switch self {
        case .set(let object, _, _), .link(let object, _, _, _), .unlink(let object, _, _), .withdraw(let object),
            .reinstate(let object):
            object
        case .exclusiveOwner: nil
        }
    }
}
