import GranaryBase
import GranaryModel

/// Compares the unique values of the objects to be saved with each other and with the store's.
struct UniquenessCheck {
    struct Outcome {
        var failures: [Diagnostic] = []
        /// Stored objects whose old values another object of the save takes over.
        var yielding: Set<ManagedObject> = []
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
        for object in plan.inserts + plan.updates {
            for constraint in object.layout.entity.uniquenessConstraints {
                guard let key = key(of: object, object.values, constraint) else { continue }
                if let twin = seen[key] {
                    outcome.failures.append(failure(.uniqueDuplicate, object, key, twin.objectID))
                    continue
                }
                seen[key] = object
                if let snapshot = object.snapshot, self.key(of: object, snapshot, constraint) == key { continue }
                try compare(object, key, constraint, store, &outcome)
            }
        }
        return outcome
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
                origin: plan.coding.identity, entity: constraint.owner, reference: .stored(match))
            let twin = plan.context.registeredObject(for: id)
            if let twin {
                if twin === object || twin.isDeleted { continue }
                if plan.isUpdated(twin) {
                    // Its new value was compared above, or will be; its old one gives way.
                    outcome.yielding.insert(twin)
                    continue
                }
            }
            outcome.failures.append(failure(.uniqueExists, object, key, twin?.objectID ?? id))
        }
    }

    /// The values of a constraint; nil when one of them is NULL, which conflicts with nothing.
    private func key(
        of object: ManagedObject, _ values: [SlotValue], _ constraint: Schema.UniquenessConstraint
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

    private func failure(
        _ code: Diagnostic.Code, _ object: ManagedObject, _ key: Key, _ twin: ManagedObjectID
    ) -> Diagnostic {
        let values = key.parts.map { part in
            switch part {
            case .value(let value): value.shortText
            case .object(let id): "\(id)"
            }
        }
        let named = zip(key.names, values).map { "\($0) \"\($1)\"" }.joined(separator: ", ")
        return object.diagnostic(
            Violation(code, "\(named) must be unique, and \(twin) has the same"), key.names.joined(separator: ", "),
            value: values.joined(separator: ", "))
    }
}
