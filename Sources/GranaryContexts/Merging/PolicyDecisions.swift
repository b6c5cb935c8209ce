import GranaryCoordination
import GranaryModel

/// The attributes that a merge policy sets while it is asked.
///
/// They are kept whichever policy settles the rest, and taken back when the save fails, so that the next save asks the
/// policy about the same values again.
final class PolicyDecisions {
    private struct Decision {
        /// The values before the policy was asked.
        let before: ObjectValues
        var slots: Set<Int> = []
    }

    private var decisions: [ManagedObject: Decision] = [:]

    /// Called before an attribute is set, also to the value that it has.
    func noteSetting(_ slot: Int, of object: ManagedObject) {
        decisions[object, default: Decision(before: object.values)].slots.insert(slot)
    }

    /// Settles an object, then sets what the policy has decided for it.
    func keep(for object: ManagedObject, settling: () throws -> Void) throws {
        let decision = decisions[object]
        let values = object.values
        try settling()
        decisions[object] = nil
        guard let decision, !object.isDeleted else { return }
        try object.fire()
        for slot in decision.slots { object.put(values[slot], atAttribute: slot) }
    }

    /// Gives the objects that were not settled the values that they had.
    func takeBack() {
        for (object, decision) in decisions where !object.isFault {
            for slot in decision.slots { object.put(decision.before[slot], atAttribute: slot) }
        }
    }
}

extension ManagedObject {
    fileprivate func put(_ value: SlotValue, atAttribute slot: Int) {
        guard values[slot] != value else { return }
        willChange()
        values[slot] = value
    }
}
