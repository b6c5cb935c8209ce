public import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

extension ManagedObjectContext {
    /// Returns all broken rules for which ``save()`` would refuse the objects, each with its entity, property, value,
    /// Core Data's error number and, in its message, the object. `willSave` does not run, and links between stores are
    /// checked only by the save.
    ///
    /// - Throws: ``GranaryError`` if the store cannot be read; with code `usage` inside a validation method.
    public func validate() throws -> [Diagnostic] {
        try refuseDuringValidation("validate()")
        try finishDeletions()
        for object in inserted where object.isFault { try object.fire() }
        var failures = validateObjects()
        try addClashes(to: &failures)
        return failures.collector.diagnostics
    }

    /// Adds duplicate unique values. A parent context checks them when it is saved.
    func addClashes(to failures: inout ValidationFailures) throws {
        guard parent == nil else { return }
        for plan in try SavePlan.plans(for: self) {
            try plan.store.withLock { store in
                for clash in try UniquenessCheck(plan: plan).run(on: store).clashes { failures.add(clash.diagnostic) }
            }
        }
    }

    /// Checks the rules for single objects.
    func validateObjects() -> ValidationFailures {
        var failures = ValidationFailures()
        for object in inserted.inSavingOrder {
            failures.collect(object) { try during(.validateForInsert, of: object) { try object.validateForInsert() } }
            checkPrecision(of: object, &failures)
        }
        for object in updated.inSavingOrder {
            failures.collect(object) { try during(.validateForUpdate, of: object) { try object.validateForUpdate() } }
            checkPrecision(of: object, &failures)
        }
        for object in deleted.inSavingOrder where !object.isGoneFromStore {
            failures.collect(object) { try during(.validateForDelete, of: object) { try object.validateForDelete() } }
        }
        return failures
    }

    /// Core Data fails the save of a value whose transformer would instantiate any class that an archive names
    /// (134060). A transformer that the app registered under such a name is allowed.
    func refuseInsecureTransformers() throws {
        let transformers = persistentStoreCoordinator.transformers
        var collector = DiagnosticCollector()
        for object in inserted.union(updated).inSavingOrder {
            for attribute in object.layout.entity.attributes
            where attribute.type == .transformable && attribute.isPersistent {
                let slot = attribute.slot
                guard object.values[slot].attribute != nil, object.snapshot?[slot] != object.values[slot],
                    let name = attribute.description.valueTransformerName, transformers[name]?.isSecure == false
                else { continue }
                collector.add(
                    Diagnostic(
                        .transformerInsecure,
                        "the model names the insecure transformer \(name), with which Core Data saves no value; use "
                            + "NSSecureUnarchiveFromData, which reads the same archives (\(object.objectID))",
                        entity: object.entity.name, property: attribute.name,
                        object: "\(object.objectID.uriRepresentation)", coreDataCode: 134_060))
            }
        }
        try collector.throwIfAnyError("Transformable attributes cannot be saved")
    }

    /// Decimals that the store's column would round are always refused.
    private func checkPrecision(of object: ManagedObject, _ failures: inout ValidationFailures) {
        guard !persistentStoreCoordinator.keepsExactDecimals(storeOf(object)) else { return }
        for attribute in object.layout.entity.attributes where attribute.type == .decimal && attribute.isPersistent {
            guard case .decimal(let value)? = object.values[attribute.slot].attribute,
                let number = ExactDecimal(exactly: value), !number.storedDouble.isExact
            else { continue }
            failures.add(
                object.diagnostic(
                    Violation(.valuePrecision, "the store would round \(value)"), attribute.name, value: "\(value)"))
        }
    }
}

extension Sequence<ManagedObject> {
    /// New objects in the order they were inserted, then stored objects by entity and key, so that saves are
    /// deterministic.
    var inSavingOrder: [ManagedObject] {
        // Sorting plain numbers is many times faster than accessing the objects.
        var places: [(entity: Int, number: Int64, object: Unmanaged<ManagedObject>)] = []
        places.reserveCapacity(underestimatedCount)
        for object in self {
            let reference = Unmanaged.passUnretained(object)
            if object.isInserted {
                places.append((-1, Int64(object.insertionNumber), reference))
            } else {
                places.append((object.layout.index, object.objectID.key ?? 0, reference))
            }
        }
        places.sort { ($0.entity, $0.number) < ($1.entity, $1.number) }
        // The sequence retains the objects.
        return withExtendedLifetime(self) { places.map { $0.object.takeUnretainedValue() } }
    }
}
