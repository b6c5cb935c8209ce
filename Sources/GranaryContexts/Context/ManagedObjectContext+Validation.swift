public import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Everything that would make ``save()`` refuse the objects as they are now: all broken rules of all objects,
    /// each with its entity, property, value, Core Data's error number and, in its message, the object. Empty when
    /// there is nothing. `willSave` is not run, and links from one store to another are left to the save.
    ///
    /// - Throws: ``GranaryError`` when the store cannot be read.
    public func validate() throws -> [Diagnostic] {
        try finishDeletions()
        for object in inserted where object.isFault { try object.fire() }
        var failures = validateObjects()
        try addClashes(to: &failures)
        return failures.collector.diagnostics
    }

    /// The unique values that other objects have. A parent context asks for them when it is saved itself.
    func addClashes(to failures: inout ValidationFailures) throws {
        guard parent == nil else { return }
        for plan in try SavePlan.plans(for: self) {
            try plan.store.withLock { store in
                for clash in try UniquenessCheck(plan: plan).run(on: store).clashes { failures.add(clash.diagnostic) }
            }
        }
    }

    /// The rules that concern one object at a time.
    func validateObjects() -> ValidationFailures {
        var failures = ValidationFailures()
        for object in inserted.inSavingOrder {
            failures.collect(object) { try object.validateForInsert() }
            checkPrecision(of: object, &failures)
        }
        for object in updated.inSavingOrder {
            failures.collect(object) { try object.validateForUpdate() }
            checkPrecision(of: object, &failures)
        }
        for object in deleted.inSavingOrder where !object.isGoneFromStore {
            failures.collect(object) { try object.validateForDelete() }
        }
        return failures
    }

    /// Core Data fails the save of a value whose transformer would look up any class that an archive names (134060). A
    /// transformer that the program registered under such a name is allowed.
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

    /// What the store's column could not give back is refused, whatever the model says.
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
    /// New objects in the order they were inserted, stored ones by entity and key: the same in every run.
    var inSavingOrder: [ManagedObject] {
        // Plain numbers are sorted many times faster than objects are asked for theirs.
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
        // The sequence holds them meanwhile.
        return withExtendedLifetime(self) { places.map { $0.object.takeUnretainedValue() } }
    }
}
