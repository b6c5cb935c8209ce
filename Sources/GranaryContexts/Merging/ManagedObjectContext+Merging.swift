import GranaryBase
public import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Merges the save of another context: deleted objects are deleted here, updated objects are read again with the
    /// changes made here on top, and inserted objects are registered (up to 10,000 of one save; more only if the
    /// context has observers).
    ///
    /// The changes of a save into a parent (``SaveChanges/isIntoParent``) are not in the stores yet. Only that parent's
    /// other children merge them; other contexts ignore them. (`mergeChanges(fromContextDidSave:)`)
    ///
    /// - Throws: any error from reading.
    public func mergeChanges(from changes: SaveChanges) throws {
        if changes.isIntoParent {
            guard let parent else { return }
            return try merge(parent.known(of: changes))
        }
        // Another process may have saved, so cached rows are stale.
        persistentStoreCoordinator.noteSave()
        try merge(changes)
    }

    /// The part of a child's save that reached this context; empty if the child has another parent.
    private func known(of changes: SaveChanges) -> SaveChanges {
        SaveChanges(
            inserted: changes.inserted.filter { registeredObject(for: $0)?.isInserted == true },
            updated: changes.updated.filter { registeredObject(for: $0) != nil },
            deleted: changes.deleted.filter { registeredObject(for: $0)?.isDeleted == true })
    }

    /// Merges a save of this coordinator, which has already marked cached rows as stale.
    private func merge(_ changes: SaveChanges) throws {
        advanceQueryGeneration()
        noteMerge(changes)
        try withoutUndo {
            for id in changes.deleted { mergeDeletion(of: id) }
            for id in changes.updated { try mergeUpdate(of: id) }
            guard tracksChanges || changes.inserted.count <= Self.mergedInsertions else { return }
            for id in changes.inserted.subtracting(changes.deleted) {
                guard registeredObject(for: id) == nil else {
                    // It was read after its insertion, and joined saves list it as inserted even if it was updated
                    // since.
                    try mergeUpdate(of: id)
                    continue
                }
                guard let object = fault(for: id) else { continue }
                // Nothing else retains the object yet.
                merged.append(object)
                if tracksChanges { pending.inserted.insert(object) }
            }
        }
    }

    /// A larger number is a bulk load, which is not worth registering without observers.
    private static let mergedInsertions = 10_000

    /// Returns a fault for an ID; nil for an ID of another model or an unknown store.
    private func fault(for id: ManagedObjectID) -> ManagedObject? {
        if let original = parent?.registeredObject(for: id), original.isInserted { return object(like: original) }
        let coordinator = persistentStoreCoordinator
        guard coordinator.hasSameModel(id), coordinator.store(withIdentifier: id.origin.identifier) != nil else {
            return nil
        }
        return makeFault(for: id)
    }

    private func mergeUpdate(of id: ManagedObjectID) throws {
        guard let object = registeredObject(for: id) else { return }
        guard !object.isDeleted else {
            object.hasMissedMerge = true
            return
        }
        guard !object.isFault else { return }
        do { try refresh(object, mergeChanges: true) } catch let error as GranaryError where error.isObjectGone {
            mergeDeletion(of: object.objectID)
        }
    }

    private func mergeDeletion(of id: ManagedObjectID) {
        guard let object = registeredObject(for: id) else { return }
        // Nothing was read for the object yet, so its deletion is not announced.
        if object.isFault, object.row == nil, !object.isDeleted { return letGo(object, ContextLoss(.merge, in: self)) }
        object.isGoneFromStore = true
        if !object.isDeleted { markDeleted(object) }
    }

    /// Merges waiting saves if the context merges automatically.
    func mergePendingSaves() throws {
        guard let mailbox else { return }
        var saves = mailbox.takeAll()[...]
        guard !saves.isEmpty else { return }
        merged = []
        while let changes = saves.first {
            do { try merge(changes) } catch {
                let code = (error as? GranaryError)?.code
                guard code == .refused || code == .usage else {
                    mailbox.putBack(Array(saves))
                    throw error
                }
                // Trying again would fail too. Reading the object reports the error.
                mergeOrForget(changes)
            }
            saves.removeFirst()
        }
    }

    func subscribe() -> SaveMailbox? {
        // A parent notifies its children.
        guard parent == nil else { return nil }
        let mailbox = SaveMailbox(receivesChildSaves: false)
        persistentStoreCoordinator.subscribe(mailbox)
        return mailbox
    }

    /// Merges a save of the parent or a sibling. If reading fails, the objects become faults and are read later.
    func mergeOrForget(_ changes: SaveChanges) {
        do { try merge(changes) } catch {
            dropRecentList()
            for object in changes.updated.compactMap(registeredObject) where !object.hasChanges {
                object.row = nil
                object.turnIntoFault()
            }
        }
    }

    // MARK: - Stored values under changed ones

    /// The values of an object in the store or the parent.
    struct StoredValues {
        let values: ObjectValues
        let version: Int64
        let row: StoredRow?

        init(_ row: StoredRow) {
            values = ObjectValues(row)
            version = row.version
            self.row = row
        }

        init(_ original: ManagedObject) {
            values = original.values
            version = original.version
            row = original.row
        }
    }

    enum ConflictWinner {
        case store, object
    }

    /// - Throws: ``GranaryError``: `object.gone` (133000) if the object no longer exists; any error from reading.
    func storedValues(of object: ManagedObject) throws -> StoredValues {
        if let parent {
            if let original = try parent.lookUpObject(with: object.objectID) {
                try original.fire()
                return StoredValues(original)
            }
        } else if let row = object.row, isFresh(row) {
            return StoredValues(row)
        } else if let shared = try read([object.objectID]).first, !shared.batch.isEmpty {
            return StoredValues(row(shared, 0))
        }
        try checkStore(of: object)
        throw gone(object)
    }

    /// Replaces the stored values under an object's changes. If both sides changed a value, `winner` decides; the added
    /// and removed members of to-many relationships of both sides are applied.
    ///
    /// - Throws: any error from reading; the object is unchanged then.
    func rebase(_ object: ManagedObject, onto stored: StoredValues, winner: ConflictWinner) throws {
        guard let snapshot = object.snapshot else { return }
        // Links that were read with the old row are equally old.
        let row = object.row
        object.row = nil
        var isDone = false
        defer { if !isDone { object.row = row } }
        var base = stored.values
        var merged = base
        let keepsLocal = { (slot: Int) in
            let hasChanged = object.values[slot] != snapshot[slot]
            return hasChanged && (winner == .object || stored.values[slot] == snapshot[slot])
        }
        for attribute in object.layout.entity.attributes {
            let slot = attribute.slot
            if !attribute.isPersistent {
                base[slot] = snapshot[slot]
                merged[slot] = object.values[slot]
            } else if keepsLocal(slot) {
                merged[slot] = object.values[slot]
            }
        }
        var given: [LinkLayout] = []
        for link in object.layout.relationships {
            let slot = link.slot
            guard link.isPersistent else {
                base[slot] = snapshot[slot]
                merged[slot] = object.values[slot]
                continue
            }
            if !link.isToMany {
                if keepsLocal(slot) {
                    merged[slot] = object.values[slot]
                } else if object.values[slot] != merged[slot] {
                    given.append(link)
                }
            } else if case .toMany(let here?) = object.values[slot] {
                let there = try storedLinks(of: link.end, owner: object)
                base[slot] = .toMany(there)
                merged[slot] = .toMany(here.rebased(from: snapshot[slot].toMany ?? here, onto: there))
            }
        }
        for link in given { moveInverse(of: link, object, to: merged[link.slot].toOne) }
        object.values = merged
        object.snapshot = base
        object.version = stored.version
        object.row = stored.row
        isDone = true
        if !object.differsFromSnapshot {
            object.snapshot = nil
            object.isUpdated = false
            updated.remove(object)
        }
    }

    /// Updates the inverse ends in memory when a to-one relationship of an object changes.
    private func moveInverse(of link: LinkLayout, _ object: ManagedObject, to id: ManagedObjectID?) {
        guard let inverse = link.inverse else { return }
        if let old = object.values[link.slot].toOne.flatMap(registeredObject), !old.isFault {
            old.adjust(inverse, object.objectID, isLinked: false)
        }
        guard let new = id.flatMap(registeredObject), !new.isFault else { return }
        new.adjust(inverse, object.objectID, isLinked: true)
    }
}

extension LinkedObjects {
    /// Applies the additions and removals since `old` to the stored links.
    fileprivate func rebased(from old: LinkedObjects, onto stored: LinkedObjects) -> LinkedObjects {
        guard self != old else { return stored }
        let removed = old.ids.filter { !contains($0) }
        var result = isOrdered ? self : stored
        if isOrdered {
            for id in stored.ids where !old.contains(id) { result.insert(id) }
            for id in old.ids where !stored.contains(id) { result.remove(id) }
        } else {
            for id in ids where !old.contains(id) { result.insert(id) }
            for id in removed { result.remove(id) }
        }
        return result
    }
}

extension ManagedObject {
    /// Updates one end of a relationship with a change of the store, which is not a change of this object.
    fileprivate func adjust(_ end: LinkLayout.End, _ id: ManagedObjectID, isLinked: Bool) {
        func adjusted(_ value: SlotValue) -> SlotValue {
            switch value {
            case .toMany(var links?):
                if isLinked { links.insert(id) } else { links.remove(id) }
                return .toMany(links)
            case .toOne(let present) where isLinked || present == id: return .toOne(isLinked ? id : nil)
            case .toOne, .toMany(nil), .attribute: return value
            }
        }
        values[end.id.slot] = adjusted(values[end.id.slot])
        if let snapshot { self.snapshot?[end.id.slot] = adjusted(snapshot[end.id.slot]) }
    }

    /// Restores every changed relationship at both ends.
    func restoreLinks(from snapshot: ObjectValues) throws {
        let context = try liveContext()
        // Everything is read first and retained to the end.
        var held: [ManagedObject] = []
        for link in layout.relationships where values[link.slot] != snapshot[link.slot] {
            let others = try context.objects(with: values[link.slot].ids + snapshot[link.slot].ids)
            if let inverse = link.inverse { for other in others { try other.load(inverse) } }
            held += others
        }
        defer { withExtendedLifetime(held) {} }
        for link in layout.relationships where values[link.slot] != snapshot[link.slot] {
            if link.isToMany {
                guard let ids = snapshot[link.slot].toMany?.ids else { continue }
                try replaceAll(link, with: try context.objects(with: ids))
            } else {
                try replace(link, with: try snapshot[link.slot].toOne.flatMap { try context.lookUpObject(with: $0) })
            }
        }
    }
}
