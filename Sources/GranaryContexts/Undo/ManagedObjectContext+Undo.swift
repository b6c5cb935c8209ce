import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Reverts the last group of changes; does nothing without an ``undoManager``. (`undo()`)
    ///
    /// - Throws: as ``ObjectUndoManager/undo()``.
    public func undo() throws { try undoManager?.undo() }

    /// Repeats the last undone group; does nothing without an ``undoManager``. (`redo()`)
    ///
    /// - Throws: as ``ObjectUndoManager/redo()``.
    public func redo() throws { try undoManager?.redo() }

    /// Reverts steps, the last one first.
    ///
    /// - Returns: the steps that repeat the changes, in the order they were reverted.
    /// - Throws: any error from reading; nothing was changed then.
    func apply(_ steps: [UndoStep]) throws -> [UndoStep] {
        try finishDeletions()
        for step in steps { try prepare(step) }
        let (held, missing) = try readLinked(steps)
        defer { withExtendedLifetime(held) {} }
        // From here on nothing can fail.
        nameAnew(steps)
        var opposite: [UndoStep] = []
        opposite.reserveCapacity(steps.count)
        for step in steps.reversed() { opposite.append(takeBack(step, without: missing)) }
        for object in Set(steps.compactMap(\.object)) { clearChangedState(ifUnchanged: object) }
        return opposite
    }

    /// Reads the objects that steps refer to, and returns the IDs of objects that others have deleted: links to those
    /// are not restored.
    private func readLinked(_ steps: [UndoStep]) throws -> ([ManagedObject], Set<ManagedObjectID>) {
        var ids: Set<ManagedObjectID> = []
        for step in steps {
            switch step {
            case .link(_, _, let id, _): ids.insert(id)
            case .set(_, _, let value): ids.formUnion(value.ids)
            case .unlink, .withdraw, .reinstate, .exclusiveOwner: break
            }
        }
        let coming = Set(
            steps.compactMap { step in
                if case .reinstate(let object) = step { object.objectID } else { nil }
            })
        let current = ids.map { undoManager?.current($0) ?? $0 }.filter { !coming.contains($0) }
        let held = try objects(with: current)
        return (held, Set(current.filter { !$0.isTemporaryID && registeredObject(for: $0) == nil }))
    }

    /// Assigns new IDs to restored objects that were deleted from the store, before any step refers to them.
    private func nameAnew(_ steps: [UndoStep]) {
        let gone = steps.compactMap { step -> ManagedObject? in
            if case .reinstate(let object) = step, object.managedObjectContext == nil || object.isGoneFromStore {
                object
            } else {
                nil
            }
        }
        for object in gone where object.managedObjectContext != nil { letGo(object, ContextLoss(.deletion, in: self)) }
        for object in gone where !object.objectID.isTemporaryID {
            let old = object.objectID
            object.objectID = persistentStoreCoordinator.temporaryID(entity: object.layout.index)
            undoManager?.noteRenaming(of: old, to: object.objectID)
        }
        for object in gone { object.renameLinks { undoManager?.current($0) ?? $0 } }
    }

    /// Reads the values that a step will change.
    private func prepare(_ step: UndoStep) throws {
        guard let object = step.object, object.managedObjectContext === self else { return }
        try object.fire()
        switch step {
        case .set(_, let slot, _), .link(_, let slot, _, _), .unlink(_, let slot, _):
            guard let link = object.layout.relationships.first(where: { $0.slot == slot }) else { return }
            try object.load(link.end)
        case .withdraw: for link in object.layout.relationships { try object.load(link.end) }
        case .reinstate, .exclusiveOwner: return
        }
    }

    private func takeBack(_ step: UndoStep, without missing: Set<ManagedObjectID>) -> UndoStep {
        let current = { (id: ManagedObjectID) in self.undoManager?.current(id) ?? id }
        let present = { (id: ManagedObjectID) in missing.contains(current(id)) ? nil : current(id) }
        switch step {
        case .set(let object, let slot, let value):
            let old = object.values[slot]
            object.willChange()
            object.values[slot] = value.renamed(present)
            return .set(object, slot: slot, old)
        case .link(let object, let slot, let id, let place):
            if let id = present(id) { object.insertLink(id, at: slot, place: place) }
            return .unlink(object, slot: slot, id)
        case .unlink(let object, let slot, let id):
            let place = object.removeLink(current(id), at: slot)
            return .link(object, slot: slot, id, place: place)
        case .withdraw(let object):
            if object.managedObjectContext != nil { markDeleted(object) }
            return .reinstate(object)
        case .reinstate(let object):
            reinstate(object)
            return .withdraw(object)
        case .exclusiveOwner(let owner, let member, let relationship):
            let old = exclusiveOwner(of: current(member), over: relationship)
            setExclusiveOwner(owner.map(current), of: current(member), over: relationship)
            return .exclusiveOwner(old, of: member, over: relationship)
        }
    }

    /// Restores a deleted object: unchanged, or as a new object if the deletion was saved.
    func reinstate(_ object: ManagedObject) {
        object.isDeleted = false
        if object.managedObjectContext == nil {
            object.managedObjectContext = self
            object.tie = .none
            object.version = 0
            object.row = nil
            object.isGoneFromStore = false
            register(object)
            noteInsertion(of: object)
            // Links of the object to itself were not recorded.
            for link in object.layout.relationships where link.isExclusive {
                guard object.values[link.slot].toMany?.contains(object.objectID) == true else { continue }
                setExclusiveOwner(object.objectID, of: object.objectID, over: link.id)
            }
        } else if discarded.remove(object) != nil {
            noteInsertion(of: object)
        } else {
            deleted.remove(object)
            if tracksChanges { pending.inserted.insert(object) }
            if object.snapshot != nil { noteChange(of: object) }
        }
    }

    /// Clears the changed state of an object that equals the store.
    private func clearChangedState(ifUnchanged object: ManagedObject) {
        guard object.isUpdated, !object.differsFromSnapshot, !object.isRevived else { return }
        object.isUpdated = false
        object.snapshot = nil
        updated.remove(object)
    }
}

extension SlotValue {
    /// Returns the value with every related ID replaced; IDs without a replacement are removed.
    func renamed(_ current: (ManagedObjectID) -> ManagedObjectID?) -> SlotValue {
        switch self {
        case .toOne(let id?): return .toOne(current(id))
        case .toMany(let links?):
            guard links.contains(where: { current($0) != $0 }) else { return self }
            return .toMany(LinkedObjects(links.ids.compactMap(current), isOrdered: links.isOrdered))
        case .attribute, .toOne(nil), .toMany(nil): return self
        }
    }
}

extension ManagedObject {
    /// Replaces the IDs of related objects by their successors; IDs without one are removed.
    func renameLinks(_ successor: (ManagedObjectID) -> ManagedObjectID?) {
        for link in layout.relationships {
            switch values[link.slot] {
            case .toOne(nil), .toMany(nil), .attribute: continue
            case let value:
                let new = value.renamed(successor)
                // Writing would copy all values from the row.
                if new != value { values[link.slot] = new }
            }
        }
    }
}
