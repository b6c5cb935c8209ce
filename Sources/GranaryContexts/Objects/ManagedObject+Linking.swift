import GranaryCoordination
import GranaryModel

/// Changes links at both ends. Everything is read before the first change, so that a reading error leaves nothing half
/// done.
extension ManagedObject {
    /// Reads the value of a relationship; for a to-many, its links.
    func load(_ end: LinkLayout.End) throws {
        try fire()
        let slot = end.id.slot
        guard end.isToMany, layout.isKind(of: end.id.owner), case .toMany(nil) = values[slot] else { return }
        let links = SlotValue.toMany(try liveContext().storedLinks(of: end, owner: self))
        values[slot] = links
        if case .toMany(nil)? = snapshot?[slot] { snapshot?[slot] = links }
    }

    /// Sets a to-one relationship.
    func replace(_ link: LinkLayout, with object: ManagedObject?) throws {
        let oldID = values[link.slot].toOne
        guard oldID != object?.objectID else { return }
        let old = try oldID.flatMap { try liveContext().lookUpObject(with: $0) }
        if let inverse = link.inverse { try old?.load(inverse) }
        let previous = try object.flatMap { try otherOwner(of: $0, over: link) }
        put(object?.objectID, at: link.slot)
        if let old { unlinkInverse(link, of: old) }
        if let object { linkInverse(link, of: object, previous: previous) }
    }

    /// Adds to a to-many relationship.
    ///
    /// - Parameter place: the place in an ordered relationship; nil for the end.
    func insert(_ object: ManagedObject, into link: LinkLayout, at place: Int? = nil) throws {
        try load(link.end)
        guard values[link.slot].toMany?.contains(object.objectID) == false else { return }
        let previous = try otherOwner(of: object, over: link)
        insertLink(object.objectID, at: link.slot, place: place)
        linkInverse(link, of: object, previous: previous)
    }

    /// Removes from a to-many relationship.
    func remove(_ object: ManagedObject, from link: LinkLayout) throws {
        try load(link.end)
        guard values[link.slot].toMany?.contains(object.objectID) == true else { return }
        if let inverse = link.inverse { try object.load(inverse) }
        removeLink(object.objectID, at: link.slot)
        unlinkInverse(link, of: object)
    }

    /// Replaces all members of a to-many relationship.
    func replaceAll(_ link: LinkLayout, with objects: [ManagedObject]) throws {
        try load(link.end)
        let wanted = LinkedObjects(objects.map(\.objectID), isOrdered: link.isOrdered)
        guard let present = values[link.slot].toMany, present != wanted else { return }
        let removedIDs = present.ids.filter { !wanted.contains($0) }
        let removed = try liveContext().objects(with: removedIDs)
        if let inverse = link.inverse { for object in removed { try object.load(inverse) } }
        var seen: Set<ManagedObjectID> = []
        let added = try objects.filter { !present.contains($0.objectID) && seen.insert($0.objectID).inserted }
            .map { ($0, try otherOwner(of: $0, over: link)) }
        willChange()
        // Links to deleted objects are removed too. An ordered list is replaced as a whole below, because each removal
        // would search its place.
        if !link.isOrdered { for id in removedIDs { removeLink(id, at: link.slot) } }
        for object in removed { unlinkInverse(link, of: object) }
        for (object, previous) in added { linkInverse(link, of: object, previous: previous) }
        guard link.isOrdered else {
            // One by one, so that undo keeps members that others add meanwhile.
            for (object, _) in added { insertLink(object.objectID, at: link.slot) }
            return
        }
        let before = values[link.slot]
        values[link.slot] = .toMany(wanted)
        record(.set(self, slot: link.slot, before))
    }

    /// Returns the object that loses `object` when it is linked to this one, with its links read; nil if there is none.
    private func otherOwner(of object: ManagedObject, over link: LinkLayout) throws -> ManagedObject? {
        let context = try liveContext()
        try object.fire()
        let id: ManagedObjectID?
        if let inverse = link.inverse {
            guard !inverse.isToMany else {
                try object.load(inverse)
                return nil
            }
            id = object.values[inverse.id.slot].toOne
        } else {
            id = link.isExclusive ? context.exclusiveOwner(of: object.objectID, over: link.id) : nil
        }
        guard let id, id != objectID, let owner = try context.lookUpObject(with: id),
            owner.layout.isKind(of: link.id.owner)
        else { return nil }
        try owner.load(link.end)
        return owner
    }

    private func linkInverse(_ link: LinkLayout, of object: ManagedObject, previous: ManagedObject?) {
        previous?.forget(object.objectID, over: link.end)
        if let inverse = link.inverse {
            if inverse.isToMany {
                object.insertLink(objectID, at: inverse.id.slot)
            } else {
                object.put(objectID, at: inverse.id.slot)
            }
        } else if link.isExclusive {
            linkContext?.changeExclusiveOwner(to: objectID, of: object.objectID, over: link.id)
        }
    }

    /// Removes the inverse link from `object` to this object.
    func unlinkInverse(_ link: LinkLayout, of object: ManagedObject) {
        if let inverse = link.inverse {
            object.forget(objectID, over: inverse)
        } else if link.isExclusive {
            linkContext?.changeExclusiveOwner(to: nil, of: object.objectID, over: link.id)
        }
    }

    /// Removes `id` from a relationship of this object, to-one or to-many, without changing the other end.
    func forget(_ id: ManagedObjectID, over end: LinkLayout.End) {
        if end.isToMany {
            removeLink(id, at: end.id.slot)
        } else if values[end.id.slot].toOne == id {
            put(nil, at: end.id.slot)
        }
    }

    private func put(_ id: ManagedObjectID?, at slot: Int) {
        let old = values[slot]
        guard old.toOne != id else { return }
        willChange()
        values[slot] = .toOne(id)
        record(.set(self, slot: slot, old))
    }

    /// - Parameter place: the place in an ordered relationship; nil for the end.
    func insertLink(_ id: ManagedObjectID, at slot: Int, place: Int? = nil) {
        guard var links = values[slot].toMany, !links.contains(id) else { return }
        willChange()
        // The set must not be shared while it changes, otherwise every insertion copies it.
        values[slot] = .toMany(nil)
        links.insert(id, at: place)
        values[slot] = .toMany(links)
        record(.unlink(self, slot: slot, id))
    }

    /// Removes a link and returns its place in the order.
    @discardableResult
    func removeLink(_ id: ManagedObjectID, at slot: Int) -> Int? {
        guard var links = values[slot].toMany, links.contains(id) else { return nil }
        willChange()
        values[slot] = .toMany(nil)
        let place = links.remove(id)
        values[slot] = .toMany(links)
        record(.link(self, slot: slot, id, place: place))
        return place
    }
}
