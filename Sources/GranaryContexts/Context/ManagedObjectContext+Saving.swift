import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// The maximum number of rounds in which `willSave` may make further changes; Core Data's number.
    static let willSaveRounds = 1000
    /// The maximum number of attempts when others write between two attempts.
    private static let conflictRounds = 10

    /// Saves all changes to the stores or to the parent context.
    ///
    /// First `willSave` of the objects runs until nothing changes any more, then everything is validated, then written.
    /// New objects get permanent IDs. Only objects that differ from the store are written, with their versions
    /// incremented. Without changes nothing happens. A failed save does not change the stores; all changes remain in
    /// the context, merged with the store's values if the policy required it. The changes in one store are one
    /// transaction; for several stores see docs/core-data-compatibility.md.
    ///
    /// A save into a parent context also validates. Objects keep their temporary IDs until the parent is saved, which
    /// sets the permanent IDs here too. If the policy resolves a conflict, `willSave` runs again for the objects that
    /// this changed.
    ///
    /// - Throws: ``accessError`` if there is one; nothing is saved then, and a second call saves.
    ///   ``GranaryError`` with code `refused` and a diagnostic for every broken rule of every object; with
    ///   ``MergePolicy/error`` also for every object that was changed in the store (`object.conflict`) and every
    ///   duplicate unique value, with ``SaveConflicts`` as the underlying error. If there is only one validation error
    ///   and a subclass threw it, that error is thrown. Any error from the store. ``GranaryError`` with code `usage`
    ///   inside a method or closure that the context calls for a save or a deletion, such as
    ///   ``ManagedObject/willSave()``, ``ManagedObject/didSave()`` or ``ManagedObject/validateForInsert()``.
    public func save() throws {
        try refuseReentry("save()")
        try during(.save) { try saveChanges() }
        for follower in followers.all { follower.followSave() }
    }

    private func saveChanges() throws {
        let start = ContinuousClock.now
        try throwAccessError()
        try finishDeletions()
        merged = []
        try mergePendingSaves()
        for object in inserted where object.isFault { try object.fire() }
        // Changes by the hooks belong to the same undo group.
        var marks: [ObjectIdentifier: Int] = [:]
        try runWillSave(&marks)
        announceChanges()
        guard hasChanges else {
            letGoDiscarded()
            return
        }
        try checkMayWrite()
        var failures = validateObjects()
        // Report all problems at once.
        if !failures.isEmpty { try addClashes(to: &failures) }
        try failures.throwIfAny("the objects break \(failures.collector.ruleCount) of the model")
        try throwAccessError()
        if let parent {
            try push(to: parent)
        } else {
            let plans = try write(&marks)
            report(plans, since: start)
        }
    }

    private func report(_ plans: [SavePlan], since start: ContinuousClock.Instant) {
        guard let observer = persistentStoreCoordinator.observer, !plans.isEmpty else { return }
        observer.didSave(
            ExecutedSave(
                inserted: plans.reduce(0) { $0 + $1.inserts.count },
                updated: plans.reduce(0) { $0 + $1.updates.count + $1.revivals.count },
                deleted: plans.reduce(0) { $0 + $1.deletes.count }, duration: ContinuousClock.now - start,
                contextName: name, author: transactionAuthor))
    }

    private func letGoDiscarded() {
        let loss = ContextLoss(.deletion, in: self)
        for object in discarded { letGo(object, loss) }
        discarded = []
    }

    /// - Parameter marks: the change count at each object's last call.
    func runWillSave(_ marks: inout [ObjectIdentifier: Int]) throws {
        for _ in 0..<Self.willSaveRounds {
            let called = marks
            // Objects without a subclass have no hooks.
            let due = [inserted, updated, deleted].flatMap { set in
                set.lazy.filter {
                    $0.layout.objectClass != ManagedObject.self && !$0.isGoneFromStore
                        && called[ObjectIdentifier($0), default: -1] < $0.changeMark
                }.inSavingOrder
            }
            guard !due.isEmpty else { return try throwAccessError() }
            for object in due {
                marks[ObjectIdentifier(object)] = changeCount
                during(.willSave, of: object) { object.willSave() }
            }
        }
        throw GranaryError(
            .usage, "objects are still changing after \(Self.willSaveRounds) rounds of willSave; nothing was saved")
    }

    /// Writes the changes and resolves conflicts with the policy until there are none. Returns what was written.
    private func write(_ marks: inout [ObjectIdentifier: Int]) throws -> [SavePlan] {
        for _ in 0..<Self.conflictRounds {
            try refuseInsecureTransformers()
            let plans = try SavePlan.plans(for: self)
            try refuseCrossingLinks(plans)
            let conflicts: SaveAttempt.Conflicts
            let mark = readMark
            switch try SaveAttempt(plans: plans).run() {
            case .written(let permanent, let history):
                adopt(plans, permanent, history)
                return plans
            case .conflicts(let found): conflicts = found
            }
            advanceQueryGeneration()
            try resolve(conflicts, read: mark)
            // Objects that the policy changed need their hooks and validation again.
            try runWillSave(&marks)
            try finishDeletions()
            let failures = validateObjects()
            try failures.throwIfAny("the merged objects break \(failures.collector.ruleCount) of the model")
            try throwAccessError()
        }
        throw GranaryError(
            .busy, "others changed the store during each of \(Self.conflictRounds) attempts to save; nothing was saved")
    }

    private func refuseCrossingLinks(_ plans: [SavePlan]) throws {
        guard persistentStoreCoordinator.hasHadSeveralStores else { return }
        let found = plans.flatMap { plan in
            plan.crossingLinks { id in
                if let identifier = id.storeIdentifier { return identifier }
                return self.registeredObject(for: id).flatMap { self.storeIdentifier(forNew: $0) }
            }
        }
        guard !found.isEmpty else { return }
        throw GranaryError(
            .refused, "relationships cannot lead from one store to another", diagnostics: found)
    }

    /// Updates the objects after the stores have all changes.
    private func adopt(
        _ plans: [SavePlan], _ permanent: [ManagedObjectID: ManagedObjectID], _ history: [String: Int64]
    ) {
        let successor = { [self] (id: ManagedObjectID) in permanent[id] ?? (isGoing(id) ? nil : id) }
        let saved = inserted.inSavingOrder + updated.inSavingOrder
        let removed = deleted.inSavingOrder
        for object in saved { object.renameLinks(successor) }
        renameExclusiveOwners(successor)
        for object in plans.flatMap(\.written) { object.version += 1 }
        for object in inserted {
            if let id = permanent[object.objectID] {
                undoManager?.noteRenaming(of: object.objectID, to: id)
                rename(object, to: id)
            }
        }
        if !plans.isEmpty { persistentStoreCoordinator.noteSave() }
        advanceQueryGeneration()
        let curious = liveChildren.filter(\.automaticallyMergesChangesFromParent)
        var changes: SaveChanges?
        if !plans.isEmpty, !curious.isEmpty || persistentStoreCoordinator.hasListeners(besides: mailbox) {
            changes = SaveChanges(
                inserted: Set(inserted.map(\.objectID)),
                updated: Set(plans.flatMap { $0.updates + $0.revivals }.map(\.objectID)),
                deleted: Set(plans.flatMap(\.deletes).map(\.objectID)))
            if !history.isEmpty { changes?.historyToken = PersistentHistoryToken(transactionNumbers: history) }
        }
        finishSave(saved, removed)
        for child in liveChildren { child.renameIDs(permanent) }
        refreshDerived()
        if let changes {
            persistentStoreCoordinator.announce(changes, from: mailbox)
            for child in curious { child.mergeOrForget(changes) }
        }
        callDidSave(saved + removed)
    }

    func callDidSave(_ objects: [ManagedObject]) {
        for object in objects where object.layout.objectClass != ManagedObject.self {
            during(.didSave, of: object) { object.didSave() }
        }
    }

    /// Marks all objects as unchanged.
    func finishSave(_ saved: [ManagedObject], _ removed: [ManagedObject]) {
        for object in saved {
            object.snapshot = nil
            object.isInserted = false
            object.isUpdated = false
            object.isRevived = false
        }
        let loss = ContextLoss(.deletion, in: self)
        for object in discarded.union(removed) { letGo(object, loss) }
        forgetChanges()
    }

    /// Reads derived attributes again, because triggers have changed them.
    private func refreshDerived() {
        guard layouts.hasDerivedAttributes else { return }
        let objects = registeredObjects.filter {
            !$0.isFault && !$0.hasChanges && $0.layout.hasDerivedAttributes
        }
        // The save has succeeded, so errors are ignored: the objects become faults and are read later.
        guard let batches = try? read(objects.map(\.objectID)) else {
            for object in objects { object.turnIntoFault() }
            return
        }
        for row in batches.flatMap(rows) { registeredObject(for: row.id)?.takeDerived { row.value(at: $0) } }
        for child in liveChildren { child.takeDerived(from: self) }
    }

    /// Copies derived values from the parent.
    private func takeDerived(from parent: ManagedObjectContext) {
        for object in registeredObjects
        where !object.isFault && !object.hasChanges && object.layout.hasDerivedAttributes {
            guard let original = parent.registeredObject(for: object.objectID), !original.isFault else { continue }
            object.takeDerived { original.values[$0] }
        }
        for child in liveChildren { child.takeDerived(from: self) }
    }

    // MARK: - Permanent IDs

    /// Assigns permanent IDs to new objects before they are saved. A child context obtains them through its parents,
    /// which then use the same IDs. (`obtainPermanentIDs(for:)`)
    ///
    /// - Throws: ``GranaryError``: `usage` for an object of another context; an error if no store can hold one of them,
    ///   or the store cannot be written.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        if let stranger = objects.first(where: { $0.managedObjectContext !== self }) {
            throw GranaryError(.usage, "\(stranger) is not an object of this context")
        }
        try checkMayWrite()
        // An object can be inserted in a parent although the child has saved it.
        var new: [String: [ManagedObject]] = [:]
        for object in Set(objects).inSavingOrder where object.objectID.isTemporaryID {
            guard let identifier = storeIdentifier(ofNew: object.objectID) else {
                throw persistentStoreCoordinator.noStore(for: object.entity)
            }
            new[identifier, default: []].append(object)
        }
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        for store in persistentStoreCoordinator.persistentStores {
            guard let objects = new[store.identifier] else { continue }
            let ids = try store.withLock { attached in
                try attached.transaction { try SavePlan.reserveKeys($0, for: objects, in: store.identity) }
            }
            permanent.merge(ids) { first, _ in first }
        }
        var top = self
        while let parent = top.parent { top = parent }
        top.renameIDs(permanent)
    }

    /// Returns the store of an object that is new here or in a parent.
    private func storeIdentifier(ofNew id: ManagedObjectID) -> String? {
        guard let object = registeredObject(for: id) else { return nil }
        if !object.isInserted, let parent { return parent.storeIdentifier(ofNew: id) }
        return storeIdentifier(forNew: object)
    }

    /// Replaces IDs in objects, links, undo steps and child contexts.
    func renameIDs(_ permanent: [ManagedObjectID: ManagedObjectID]) {
        guard !permanent.isEmpty else { return }
        let successor = { (id: ManagedObjectID) -> ManagedObjectID? in permanent[id] ?? id }
        for object in registeredObjects where !object.isFault {
            object.renameLinks(successor)
            if let snapshot = object.snapshot { object.snapshot = object.renamed(snapshot, successor) }
        }
        renameExclusiveOwners(successor)
        for (old, new) in permanent {
            undoManager?.noteRenaming(of: old, to: new)
            guard let object = registeredObject(for: old) else { continue }
            rename(object, to: new)
        }
        for child in liveChildren { child.renameIDs(permanent) }
    }
}

extension ManagedObject {
    /// Updates derived attributes with the store's values.
    func takeDerived(_ value: (Int) -> SlotValue) {
        guard layout.hasDerivedAttributes else { return }
        for attribute in layout.entity.attributes
        where attribute.isPersistent && attribute.description.derivationExpression != nil {
            let value = value(attribute.slot)
            values[attribute.slot] = value
            snapshot?[attribute.slot] = value
        }
    }

    func renamed(
        _ values: ObjectValues, _ successor: (ManagedObjectID) -> ManagedObjectID?
    ) -> ObjectValues {
        var result = values
        for link in layout.relationships {
            let value = values[link.slot]
            let new = value.renamed(successor)
            if new != value { result[link.slot] = new }
        }
        return result
    }
}
