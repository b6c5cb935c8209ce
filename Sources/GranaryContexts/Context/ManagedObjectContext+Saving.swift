import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// How often `willSave` may lead to further changes before the save gives up; Core Data's own number.
    static let willSaveRounds = 1000
    /// How often a save tries again when somebody else writes between two tries.
    private static let conflictRounds = 10

    /// Writes all changes to the stores, or to the parent context.
    ///
    /// The objects' `willSave` runs first, until nothing changes any more; then everything is validated; then it is
    /// written: new objects get their permanent IDs, and only objects that differ from what the store has are
    /// written, each with its version raised by one. Without changes nothing happens. A save that fails changes
    /// nothing in the stores: all changes are still in the context, merged with the store's where the policy asked for
    /// it. Changes in one store are one transaction; for several stores see docs/core-data-compatibility.md.
    ///
    /// A save into a parent context validates too; objects keep their temporary IDs until the parent is saved, which
    /// gives them their permanent ones here as well. Where the policy resolves a conflict, `willSave` runs again on what
    /// that has changed.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every broken rule of every object; under
    ///   ``MergePolicy/error`` for every object that somebody else has changed in the store (`object.conflict`) and
    ///   every unique value that is taken, with ``SaveConflicts`` as the underlying error. A subclass's own validation
    ///   error is thrown as it is when it is the only one. What the store throws.
    public func save() throws {
        try finishDeletions()
        merged = []
        try mergePendingSaves()
        for object in inserted where object.isFault { try object.fire() }
        // What the hooks change belongs to what made them run.
        var marks: [ObjectIdentifier: Int] = [:]
        try runWillSave(&marks)
        announceChanges()
        guard hasChanges else {
            for object in discarded { letGo(object) }
            discarded = []
            return
        }
        var failures = validateObjects()
        // Whoever mends the objects wants to know everything at once.
        if !failures.isEmpty { try addClashes(to: &failures) }
        try failures.throwIfAny("the objects break \(failures.collector.count) rules of the model")
        if let parent {
            try push(to: parent)
        } else {
            try write(&marks)
        }
    }

    /// - Parameter marks: when each object's hook was called last.
    private func runWillSave(_ marks: inout [ObjectIdentifier: Int]) throws {
        for _ in 0..<Self.willSaveRounds {
            let called = marks
            // Plain objects have no hooks.
            let due = [inserted, updated, deleted].flatMap { set in
                set.lazy.filter {
                    $0.layout.objectClass != ManagedObject.self && !$0.isGoneFromStore
                        && called[ObjectIdentifier($0), default: -1] < $0.changeMark
                }.inSavingOrder
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

    /// Writes, and settles conflicts as the policy says until there are none.
    private func write(_ marks: inout [ObjectIdentifier: Int]) throws {
        for _ in 0..<Self.conflictRounds {
            try refuseInsecureTransformers()
            let plans = try SavePlan.plans(for: self)
            try refuseCrossingLinks(plans)
            let conflicts: SaveAttempt.Conflicts
            let mark = readMark
            switch try SaveAttempt(plans: plans).run() {
            case .written(let permanent, let history): return adopt(plans, permanent, history)
            case .conflicts(let found): conflicts = found
            }
            try resolve(conflicts, read: mark)
            // Objects that the policy changed go through the same hooks and validation.
            try runWillSave(&marks)
            try finishDeletions()
            let failures = validateObjects()
            try failures.throwIfAny("the merged objects break \(failures.collector.count) rules of the model")
        }
        throw GranaryError(
            .busy, "the store was changed by others at each of \(Self.conflictRounds) tries to save; nothing was saved")
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

    /// The stores have everything: the objects become what they have.
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
        for object in saved + removed { object.didSave() }
    }

    /// Nothing is changed any more.
    func finishSave(_ saved: [ManagedObject], _ removed: [ManagedObject]) {
        for object in saved {
            object.snapshot = nil
            object.isInserted = false
            object.isUpdated = false
            object.isRevived = false
        }
        for object in discarded.union(removed) { letGo(object) }
        forgetChanges()
    }

    /// Triggers have changed derived attributes: they are read again.
    private func refreshDerived() {
        guard layouts.hasDerivedAttributes else { return }
        let objects = registeredObjects.filter {
            !$0.isFault && !$0.hasChanges && $0.layout.hasDerivedAttributes
        }
        // The save is done: what cannot be read now is read when somebody asks for it.
        guard let batches = try? read(objects.map(\.objectID)) else {
            for object in objects { object.turnIntoFault() }
            return
        }
        for shared in batches {
            for index in shared.batch.rows.indices {
                let stored = row(shared, index)
                guard let object = registeredObject(for: stored.id) else { continue }
                object.takeDerived { stored.value(at: $0) }
            }
        }
        for child in liveChildren { child.takeDerived(from: self) }
    }

    /// A child has what its parent has.
    private func takeDerived(from parent: ManagedObjectContext) {
        for object in registeredObjects
        where !object.isFault && !object.hasChanges && object.layout.hasDerivedAttributes {
            guard let original = parent.registeredObject(for: object.objectID), !original.isFault else { continue }
            object.takeDerived { original.values[$0] }
        }
        for child in liveChildren { child.takeDerived(from: self) }
    }

    // MARK: - Permanent IDs

    /// Gives new objects their permanent IDs before they are saved. A child context gets them through its parents, which
    /// know the objects by these IDs from then on. (`obtainPermanentIDs(for:)`)
    ///
    /// - Throws: ``GranaryError``: `usage` for an object of another context; when there is no store for one of them, or the
    ///   store cannot be written.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        if let stranger = objects.first(where: { $0.managedObjectContext !== self }) {
            throw GranaryError(.usage, "\(stranger) is not an object of this context")
        }
        // A parent may hold the object as inserted while the child has saved it already.
        var new: [String: [ManagedObject]] = [:]
        for object in Set(objects).inSavingOrder where object.objectID.isTemporaryID {
            guard let identifier = storeIdentifier(ofNew: object.objectID) else {
                throw GranaryError(
                    .refused, "\(object.entity.name): no store of the container that can be written holds the entity")
            }
            new[identifier, default: []].append(object)
        }
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        for store in persistentStoreCoordinator.attachedStores {
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

    /// The store of an object that is new here or in a parent.
    private func storeIdentifier(ofNew id: ManagedObjectID) -> String? {
        guard let object = registeredObject(for: id) else { return nil }
        if !object.isInserted, let parent { return parent.storeIdentifier(ofNew: id) }
        return storeIdentifier(forNew: object)
    }

    /// Gives objects their new IDs, wherever these stand.
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
    /// Takes over what a store has worked out.
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
