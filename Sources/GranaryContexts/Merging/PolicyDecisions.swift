import GranaryCoordination
import GranaryModel

/// Records the attributes that a merge policy sets while it runs.
///
/// These values are kept whichever policy resolves the rest. They are reverted if the save fails, so that the next save
/// calls the policy with the same values.
final class PolicyDecisions {
    private struct Decision {
        /// The values before the policy ran.
        let before: ObjectValues
        var slots: Set<Int> = []
    }

    private var decisions: [ManagedObject: Decision] = [:]

    /// Called before an attribute is set, even to the same value.
    func noteSetting(_ slot: Int, of object: ManagedObject) {
        decisions[object, default: Decision(before: object.values)].slots.insert(slot)
    }

    /// Resolves an object's conflict, then restores the values set by the policy.
    func keep(for object: ManagedObject, resolving: () throws -> Void) throws {
        let decision = decisions[object]
        let values = object.values
        try resolving()
        decisions[object] = nil
        guard let decision, !object.isDeleted else { return }
        try object.fire()
        for slot in decision.slots { object.put(values[slot], atAttribute: slot) }
    }

    /// Restores the former values of the objects whose conflicts were not resolved.
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
