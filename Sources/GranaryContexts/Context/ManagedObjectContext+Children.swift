import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Creates a child context, which reads from this context and saves into it. Its changes reach this context when
    /// the child is saved, and the store when this context is saved. (`NSManagedObjectContext.parent`)
    ///
    /// Both contexts belong to one isolation region.
    public func makeChild() -> ManagedObjectContext {
        ManagedObjectContext(coordinator: persistentStoreCoordinator, parent: self)
    }

    func adopt(child: ManagedObjectContext) {
        children.removeAll { $0.context == nil }
        children.append(WeakContext(context: child))
    }

    var liveChildren: [ManagedObjectContext] { children.compactMap(\.context) }

    // MARK: - Saving into the parent

    func push(to parent: ManagedObjectContext) throws {
        try parent.refuseChildSave()
        let changed = updated.inSavingOrder.filter(\.differsFromSnapshot)
        let removed = deleted.inSavingOrder
        let new = inserted.inSavingOrder
        // Everything is read first, so that an error leaves the parent unchanged. The objects are retained to the end.
        let stored = (changed + removed).filter { !$0.isGoneFromStore }
        var held = try parent.objects(with: stored.map(\.objectID))
        var originals: [ManagedObject: ManagedObject] = [:]
        for object in stored {
            let original = try parent.original(of: object)
            originals[object] = original
            for link in object.layout.relationships where object.isDeleted || object.hasChanged(link) {
                try original.load(link.end)
                let now = Set(object.values[link.slot].ids)
                // A deletion affects all links, a change only the added and removed ones.
                let ids =
                    object.isDeleted
                    ? now.union(original.values[link.slot].ids)
                    : now.symmetricDifference(object.snapshot?[link.slot].ids ?? [])
                held += try parent.readEnds(of: link, Array(ids))
            }
        }
        for object in new {
            for link in object.layout.relationships {
                held += try parent.readEnds(of: link, object.values[link.slot].ids)
            }
        }
        defer { withExtendedLifetime(held) {} }
        for object in new { originals[object] = parent.receive(object, storeIdentifier: assignments[object]) }
        for object in new + changed {
            if let original = originals[object] { object.pushAttributes(to: original) }
        }
        for object in new + changed {
            if let original = originals[object] { try object.pushLinks(to: original, in: parent) }
        }
        for object in removed {
            if let original = originals[object] { try parent.during(.childSave) { try parent.delete(original) } }
        }
        for object in new + changed { object.version = originals[object]?.version ?? object.version }
        finishSave(new + updated.inSavingOrder, removed)
        parent.announceChanges()
        var changes = SaveChanges(
            inserted: Set(new.map(\.objectID)), updated: Set(changed.map(\.objectID)),
            deleted: Set(removed.map(\.objectID)))
        changes.isIntoParent = true
        if !changes.isEmpty {
            persistentStoreCoordinator.announce(changes, from: nil)
            for sibling in parent.liveChildren where sibling !== self && sibling.automaticallyMergesChangesFromParent {
                sibling.mergeOrForget(changes)
            }
        }
        callDidSave(new + changed + removed)
    }

    /// Reads the objects at one end of a relationship, their links at that end, and their previous owners.
    private func readEnds(of link: LinkLayout, _ ids: [ManagedObjectID]) throws -> [ManagedObject] {
        let others = try objects(with: ids)
        guard let inverse = link.inverse else { return others }
        for other in others { try other.load(inverse) }
        guard !inverse.isToMany else { return others }
        let owners = try objects(with: others.compactMap { $0.values[inverse.id.slot].toOne })
        for owner in owners where owner.layout.isKind(of: link.id.owner) { try owner.load(link.end) }
        return others + owners
    }

    private func original(of object: ManagedObject) throws -> ManagedObject {
        guard let original = try self.lookUpObject(with: object.objectID) else {
            throw object.managedObjectContext?.gone(object) ?? gone(object)
        }
        try original.fire()
        return original
    }

    /// Inserts a child's new object under the same ID.
    private func receive(_ object: ManagedObject, storeIdentifier: String?) -> ManagedObject {
        if let known = registeredObject(for: object.objectID) {
            if known.isDeleted { reinstate(known) }
            guard known.isUnverified else { return known }
            // `object(with:)` created a fault for the ID before the child was saved.
            known.values = ObjectValues(object.layout.defaults)
            known.isFault = false
            known.isGoneFromStore = false
            noteReceived(known, storeIdentifier)
            return known
        }
        let own = makeObject(object.layout, id: object.objectID, isFault: false)
        noteReceived(own, storeIdentifier)
        return own
    }

    private func noteReceived(_ object: ManagedObject, _ storeIdentifier: String?) {
        assignments[object] = storeIdentifier
        noteInsertion(of: object)
    }
}

extension ManagedObject {
    fileprivate func hasChanged(_ link: LinkLayout) -> Bool {
        guard let snapshot else { return true }
        return values[link.slot] != snapshot[link.slot]
    }

    fileprivate func pushAttributes(to original: ManagedObject) {
        for attribute in layout.entity.attributes {
            let (slot, value) = (attribute.slot, values[attribute.slot])
            // A value that the child did not change may have changed in the parent.
            if let snapshot, snapshot[slot] == value { continue }
            let old = original.values[slot]
            guard old != value else { continue }
            original.willChange()
            original.values[slot] = value
            original.record(.set(original, slot: slot, old))
        }
    }

    /// Applies the child's added and removed links to the parent's object and the inverse.
    fileprivate func pushLinks(to original: ManagedObject, in parent: ManagedObjectContext) throws {
        for link in layout.relationships where hasChanged(link) {
            switch values[link.slot] {
            case .toOne(let id):
                try original.replace(link, with: try id.flatMap { try parent.lookUpObject(with: $0) })
            case .toMany(let links?):
                try original.load(link.end)
                let before = snapshot?[link.slot].toMany ?? LinkedObjects(isOrdered: link.isOrdered)
                if link.isOrdered {
                    var ids = links.ids
                    ids += (original.values[link.slot].toMany?.ids ?? []).filter {
                        !links.contains($0) && !before.contains($0)
                    }
                    try original.replaceAll(link, with: try parent.objects(with: ids))
                } else {
                    for member in try parent.objects(with: before.ids.filter({ !links.contains($0) })) {
                        try original.remove(member, from: link)
                    }
                    for member in try parent.objects(with: links.ids.filter({ !before.contains($0) })) {
                        try original.insert(member, into: link)
                    }
                }
            case .toMany(nil), .attribute: break
            }
        }
    }
}
