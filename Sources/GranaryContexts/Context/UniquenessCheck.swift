import GranaryBase
import GranaryCoordination
import GranaryModel

/// Compares the unique values of the objects to be saved with each other and with the store's.
struct UniquenessCheck {
    struct Outcome {
        var clashes: [Clash] = []
        /// Stored objects whose old values another object of the save takes over.
        var yielding: Set<ManagedObject> = []
    }

    /// An object whose unique value another one has.
    struct Clash {
        let object: ManagedObject
        let names: [String]
        let values: [PropertyValue]
        /// An object of the save, or of the store only.
        let twin: ManagedObjectID
        /// Whether the twin is an object of the same save.
        let isInSave: Bool

        var conflict: ConstraintConflict {
            ConstraintConflict(
                constraint: names, values: values, objectID: object.objectID, otherObjectID: twin)
        }

        var diagnostic: Diagnostic {
            let texts = values.map(\.shortText)
            let named = zip(names, texts).map { "\($0) \"\($1)\"" }.joined(separator: ", ")
            return object.diagnostic(
                Violation(
                    isInSave ? .uniqueDuplicate : .uniqueExists, "\(named) must be unique, and \(twin) has the same"),
                names.joined(separator: ", "), value: texts.joined(separator: ", "))
        }
    }

    let plan: SavePlan

    private enum Part: Hashable {
        case value(AttributeValue)
        case object(ManagedObjectID)
    }

    private struct Key: Hashable {
        let owner: Int
        let names: [String]
        let parts: [Part]
    }

    func run(on store: any PersistentStore) throws -> Outcome {
        var outcome = Outcome()
        var seen: [Key: ManagedObject] = [:]
        // Of two, the one that has the value in the store already was there first, then stored objects, then new ones.
        let objects = plan.updates + plan.revivals + plan.inserts
        for object in objects {
            for constraint in object.layout.entity.uniquenessConstraints where keeps(constraint, object) {
                if let key = key(of: object, object.values, constraint) { seen[key] = object }
            }
        }
        for object in objects {
            for constraint in object.layout.entity.uniquenessConstraints where !keeps(constraint, object) {
                guard let key = key(of: object, object.values, constraint) else { continue }
                if let twin = seen[key] {
                    outcome.clashes.append(clash(object, key, twin.objectID, isInSave: true))
                    continue
                }
                seen[key] = object
                try compare(object, key, constraint, store, &outcome)
            }
        }
        return outcome
    }

    /// Whether the object has in the store what it has here.
    private func keeps(_ constraint: Schema.UniquenessConstraint, _ object: ManagedObject) -> Bool {
        guard !object.isRevived, let snapshot = object.snapshot else { return false }
        return key(of: object, snapshot, constraint) == key(of: object, object.values, constraint)
    }

    private func compare(
        _ object: ManagedObject, _ key: Key, _ constraint: Schema.UniquenessConstraint, _ store: any PersistentStore,
        _ outcome: inout Outcome
    ) throws {
        // No stored object can refer to one that was never saved.
        let isNew = key.parts.contains { if case .object(let id) = $0 { id.isTemporaryID } else { false } }
        guard !isNew else { return }
        var batch = RowBatch()
        try plan.coding.append(object, key: 0, version: 0, to: &batch) { $0 }
        for match in try store.keys(matching: constraint, in: batch, row: 0) {
            let id = ManagedObjectID(
                origin: plan.coding.identity, entity: constraint.owner, key: match)
            let twin = plan.context.registeredObject(for: id)
            if let twin {
                if twin === object || twin.isDeleted { continue }
                if plan.isUpdated(twin) {
                    // Its new value was compared above, or will be; its old one gives way.
                    outcome.yielding.insert(twin)
                    continue
                }
            }
            outcome.clashes.append(clash(object, key, twin?.objectID ?? id, isInSave: false))
        }
    }

    /// The values of a constraint; nil when one of them is NULL, which conflicts with nothing.
    private func key(
        of object: ManagedObject, _ values: ObjectValues, _ constraint: Schema.UniquenessConstraint
    ) -> Key? {
        var parts: [Part] = []
        for property in constraint.properties {
            switch property {
            case .attribute(let index):
                guard let value = values[object.layout.entity.attributes[index].slot].attribute else { return nil }
                parts.append(.value(value))
            case .relationship(let index):
                guard let id = values[object.layout.relationships[index].slot].toOne, !plan.context.isGoing(id) else {
                    return nil
                }
                parts.append(.object(id))
            }
        }
        return Key(owner: constraint.owner, names: constraint.names, parts: parts)
    }

    private func clash(
        _ object: ManagedObject, _ key: Key, _ twin: ManagedObjectID, isInSave: Bool
    ) -> Clash {
        let values = key.parts.map { part in
            switch part {
            case .value(let value): PropertyValue.attribute(value)
            case .object(let id): PropertyValue.object(id)
            }
        }
        return Clash(object: object, names: key.names, values: values, twin: twin, isInSave: isInSave)
    }
}
