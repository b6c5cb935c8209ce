import GranaryBase
import GranaryModel

extension ManagedObjectContext {
    /// How often `willSave` may lead to further changes before the save gives up; Core Data's own number.
    static let willSaveRounds = 1000

    /// Writes all changes to the store in one transaction.
    ///
    /// The objects' `willSave` runs first, until nothing changes any more; then everything is validated; then it is
    /// written: new objects get their permanent IDs, and only objects that differ from what the store has are
    /// written, each with its version raised by one. Without changes nothing happens. A save that fails changes
    /// nothing: all changes are still in the context.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every broken rule of every object, or for
    ///   every object that somebody else has changed in the store (`object.conflict`). A subclass's own validation
    ///   error is thrown as it is when it is the only one. What the store throws.
    public func save() throws {
        try finishDeletions()
        try runWillSave()
        guard hasChanges else {
            for object in discarded { letGo(object) }
            discarded = []
            return
        }
        var failures = validateObjects()
        let plan = SavePlan(context: self)
        let permanent = try persistentStoreCoordinator.withStore { store in
            let unique = try UniquenessCheck(plan: plan).run(on: store)
            for diagnostic in unique.failures { failures.add(diagnostic) }
            try failures.throwIfAny("the objects break \(failures.collector.count) rules of the model")
            return try plan.write(to: store, yielding: unique.yielding)
        }
        adopt(plan, permanent)
    }

    private func runWillSave() throws {
        var marks: [ObjectIdentifier: Int] = [:]
        for _ in 0..<Self.willSaveRounds {
            let due = [inserted, updated, deleted].flatMap { set in
                set.filter { marks[ObjectIdentifier($0), default: -1] < $0.changeMark }.inSavingOrder
            }
            guard !due.isEmpty else { return }
            for object in due {
                marks[ObjectIdentifier(object)] = changeCount
                object.willSave()
            }
        }
        throw GranaryError(
            .usage, "objects are still changing after \(Self.willSaveRounds) rounds of willSave; nothing was saved")
    }

    /// The store has everything: the objects become what it has.
    private func adopt(_ plan: SavePlan, _ permanent: [ManagedObjectID: ManagedObjectID]) {
        let successor = { [self] (id: ManagedObjectID) in permanent[id] ?? (isGoing(id) ? nil : id) }
        let saved = inserted.inSavingOrder + updated.inSavingOrder
        let removed = deleted.inSavingOrder
        for object in saved { object.renameLinks(successor) }
        renameExclusiveOwners(successor)
        for object in plan.inserts {
            guard let id = permanent[object.objectID] else { continue }
            registered[object.objectID] = nil
            object.objectID = id
            object.version = 1
            object.isInserted = false
            registered[id] = object
        }
        for object in plan.updates { object.version += 1 }
        for object in saved {
            object.snapshot = nil
            object.isUpdated = false
        }
        for object in discarded.union(removed) { letGo(object) }
        forgetChanges()
        for object in saved + removed { object.didSave() }
    }
}

extension ManagedObject {
    /// Gives every related object's ID its successor; those without one are gone.
    fileprivate func renameLinks(_ successor: (ManagedObjectID) -> ManagedObjectID?) {
        for link in layout.relationships {
            switch values[link.slot] {
            case .toOne(let id?): values[link.slot] = .toOne(successor(id))
            case .toMany(let links?):
                let renamed = links.ids.map(successor)
                guard !zip(renamed, links.ids).allSatisfy({ $0 == $1 }) else { continue }
                values[link.slot] = .toMany(LinkedObjects(renamed.compactMap { $0 }, isOrdered: link.isOrdered))
            default: break
            }
        }
    }
}
