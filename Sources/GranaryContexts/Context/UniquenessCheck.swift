import GranaryBase
import GranaryCoordination
import GranaryModel

/// Compares the unique values of the objects to be saved with each other and with the store.
struct UniquenessCheck {
    struct Outcome {
        var clashes: [Clash] = []
        /// Stored objects whose old unique values another object of the save takes.
        var yielding: Set<ManagedObject> = []
    }

    /// An object with the same unique value as another.
    struct Clash {
        let object: ManagedObject
        let names: [String]
        let values: [PropertyValue]
        /// The other object, which belongs to the save or is only in the store.
        let other: ManagedObjectID
        /// Whether the other object belongs to the same save.
        let isInSave: Bool

        var conflict: ConstraintConflict {
            ConstraintConflict(
                constraint: names, values: values, objectID: object.objectID, otherObjectID: other)
        }

        var diagnostic: Diagnostic {
            let texts = values.map(\.shortText)
            let named = zip(names, texts).map { "\($0) \"\($1)\"" }.joined(separator: ", ")
            return object.diagnostic(
                Violation(
                    isInSave ? .uniqueDuplicate : .uniqueExists, "\(named) must be unique, and \(other) has the same"),
                names.joined(separator: ", "), value: texts.joined(separator: ", "))
        }
    }

    let plan: SavePlan

    private struct Key: Hashable {
        let owner: Int
        let names: [String]
        let values: [PropertyValue]
    }

    func run(on store: any StoreBackend) throws -> Outcome {
        var outcome = Outcome()
        var seen: [Key: ManagedObject] = [:]
        // Objects that already have their value in the store take precedence, then stored objects, then new ones.
        let objects = plan.updates + plan.revivals + plan.inserts
        for object in objects {
            for constraint in object.layout.entity.uniquenessConstraints where keeps(constraint, object) {
                if let key = key(of: object, object.values, constraint) { seen[key] = object }
            }
        }
        for object in objects {
            for constraint in object.layout.entity.uniquenessConstraints where !keeps(constraint, object) {
                guard let key = key(of: object, object.values, constraint) else { continue }
                if let other = seen[key] {
                    outcome.clashes.append(clash(object, key, other.objectID, isInSave: true))
                    continue
                }
                seen[key] = object
                try compare(object, key, constraint, store, &outcome)
            }
        }
        return outcome
    }

    /// Whether the object's values are unchanged since they were stored.
    private func keeps(_ constraint: Schema.UniquenessConstraint, _ object: ManagedObject) -> Bool {
        guard !object.isRevived, let snapshot = object.snapshot else { return false }
        return key(of: object, snapshot, constraint) == key(of: object, object.values, constraint)
    }

    private func compare(
        _ object: ManagedObject, _ key: Key, _ constraint: Schema.UniquenessConstraint, _ store: any StoreBackend,
        _ outcome: inout Outcome
    ) throws {
        // No stored object can refer to an object that was never saved.
        let isNew = key.values.contains { if case .object(let id?) = $0 { id.isTemporaryID } else { false } }
        guard !isNew else { return }
        var batch = RowBatch()
        try plan.coding.append(object, key: 0, version: 0, to: &batch) { $0 }
        for match in try store.keys(matching: constraint, in: batch, row: 0) {
            let id = ManagedObjectID(
                origin: plan.coding.identity, entity: constraint.owner, key: match)
            let other = plan.context.registeredObject(for: id)
            if let other {
                if other === object || other.isDeleted { continue }
                if plan.isUpdated(other) {
                    // Its new value is compared separately; its old value will be released.
                    outcome.yielding.insert(other)
                    continue
                }
            }
            outcome.clashes.append(clash(object, key, other?.objectID ?? id, isInSave: false))
        }
    }

    /// The values of a constraint; nil if one of them is NULL, which never conflicts.
    private func key(
        of object: ManagedObject, _ values: ObjectValues, _ constraint: Schema.UniquenessConstraint
    ) -> Key? {
        var parts: [PropertyValue] = []
        for property in constraint.properties {
            switch property {
            case .attribute(let index):
                guard let value = values[object.layout.entity.attributes[index].slot].attribute else { return nil }
                parts.append(.attribute(value))
            case .relationship(let index):
                guard let id = values[object.layout.relationships[index].slot].toOne, !plan.context.isGoing(id) else {
                    return nil
                }
                parts.append(.object(id))
            }
        }
        return Key(owner: constraint.owner, names: constraint.names, values: parts)
    }

    private func clash(
        _ object: ManagedObject, _ key: Key, _ other: ManagedObjectID, isInSave: Bool
    ) -> Clash {
        Clash(object: object, names: key.names, values: key.values, other: other, isInSave: isInSave)
    }
}
