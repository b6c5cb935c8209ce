import GranaryBase
public import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Takes over what another context has saved: objects that were deleted there are deleted here, objects that were
    /// changed there are read again, with the changes made here on top, new ones are known (up to 10,000 of one save; more
    /// only where the context is observed).
    ///
    /// The stores do not have the changes of a save into a parent yet (``SaveChanges/isIntoParent``). Only that parent's
    /// other children merge it; other contexts ignore it. (`mergeChanges(fromContextDidSave:)`)
    ///
    /// - Throws: what reading from the store throws.
    public func mergeChanges(from changes: SaveChanges) throws {
        if changes.isIntoParent {
            guard let parent else { return }
            return try merge(parent.known(of: changes))
        }
        // Whoever has saved may be another process: rows that were read count no more.
        persistentStoreCoordinator.noteSave()
        try merge(changes)
    }

    /// The part of a child's save that reached this context; empty when the child has another parent.
    private func known(of changes: SaveChanges) -> SaveChanges {
        SaveChanges(
            inserted: changes.inserted.filter { registeredObject(for: $0)?.isInserted == true },
            updated: changes.updated.filter { registeredObject(for: $0) != nil },
            deleted: changes.deleted.filter { registeredObject(for: $0)?.isDeleted == true })
    }

    /// Merges a save of this coordinator, which has told that rows are old.
    private func merge(_ changes: SaveChanges) throws {
        try withoutUndo {
            for id in changes.deleted { mergeDeletion(of: id) }
            for id in changes.updated {
                guard let object = registeredObject(for: id), !object.isDeleted else { continue }
                if !object.isFault { try mergeUpdate(of: object) }
            }
            guard !observers.isEmpty || changes.inserted.count <= Self.mergedInsertions else { return }
            for id in changes.inserted.subtracting(changes.deleted) where registeredObject(for: id) == nil {
                guard let object = fault(for: id) else { continue }
                // Nobody holds it yet: it would go before anybody could look.
                merged.append(object)
                if !observers.isEmpty { pending.inserted.insert(object) }
            }
        }
    }

    /// Of a bulk load nobody wants to know every object, unless somebody observes the context.
    private static let mergedInsertions = 10_000

    /// An object of which nothing was read yet; nil for an ID of another model.
    private func fault(for id: ManagedObjectID) -> ManagedObject? {
        if let original = parent?.registeredObject(for: id), original.isInserted { return object(like: original) }
        let coordinator = persistentStoreCoordinator
        guard coordinator.hasSameModel(id), coordinator.store(withIdentifier: id.origin.identifier) != nil else {
            return nil
        }
        return makeFault(for: id)
    }

    private func mergeUpdate(of object: ManagedObject) throws {
        do { try refresh(object, mergeChanges: true) } catch let error as GranaryError {
            guard error.diagnostics.map(\.code) == [.objectGone] else { throw error }
            mergeDeletion(of: object.objectID)
        }
    }

    private func mergeDeletion(of id: ManagedObjectID) {
        guard let object = registeredObject(for: id) else { return }
        // Nothing was read of it yet, so nothing has to be told about it.
        if object.isFault, object.row == nil, !object.isDeleted { return letGo(object) }
        object.isGoneFromStore = true
        if !object.isDeleted { markDeleted(object) }
    }

    /// Merges what others have saved since the last time, where the context wants that.
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
                // It would fail for ever. Whoever asks for what cannot be read is told.
                mergeOrForget(changes)
            }
            saves.removeFirst()
        }
    }

    func subscribe() -> SaveMailbox? {
        // A child is told by its parent.
        guard parent == nil else { return nil }
        let mailbox = SaveMailbox(receivesChildSaves: false)
        persistentStoreCoordinator.subscribe(mailbox)
        return mailbox
    }

    /// Merges what the parent, or a sibling, has saved. What cannot be read now is read when somebody asks for it.
    func mergeOrForget(_ changes: SaveChanges) {
        do { try merge(changes) } catch {
            for object in changes.updated.compactMap(registeredObject) where !object.hasChanges {
                object.row = nil
                object.turnIntoFault()
            }
        }
    }

    // MARK: - Stored values under changed ones

    /// What the store, or the parent, has for an object.
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

    /// - Throws: ``GranaryError``: `object.gone` (133000) when there is no such object any more; what reading throws.
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

    /// Puts the stored values under an object's changes. Where both sides have changed a value, `winner` says whose
    /// stays; members of to-many relationships are added and removed as both sides did.
    ///
    /// - Throws: what reading throws; the object is then as it was.
    func rebase(_ object: ManagedObject, onto stored: StoredValues, winner: ConflictWinner) throws {
        guard let snapshot = object.snapshot else { return }
        // Links that were read with the old row are as old.
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

    /// The object's end of a to-one relationship is another: so are the ends at the other side, where they were read.
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
    /// The links that the store has, with those added and removed that were added and removed since `old`.
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
    /// Follows what the store has at the other end: no change of this object's own.
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

    /// Gives back every changed relationship what it had, at both ends.
    func restoreLinks(from snapshot: ObjectValues) throws {
        let context = try liveContext()
        // All reading comes first, and what was read is held to the end.
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
