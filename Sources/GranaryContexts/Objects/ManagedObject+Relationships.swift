import GranaryBase
import GranaryCoordination
import GranaryModel

/// Access to relationships by name. Setting one end also updates the inverse.
///
/// All methods throw ``GranaryError``: `usage` if the entity has no such relationship, or the objects belong to
/// different contexts or are deleted; `refused` if an object is of the wrong entity; any error from reading.
extension ManagedObject {
    /// Returns the object of a to-one relationship; nil if there is none or the referenced object does not exist.
    public func object(forKey key: String) throws -> ManagedObject? {
        let link = try relationship(forKey: key, isToMany: false)
        try access()
        guard let id = values[link.slot].toOne else { return nil }
        return try liveContext().follow(link, of: self, to: id)
    }

    /// Sets the object of a to-one relationship; nil removes it.
    public func setObject(_ object: ManagedObject?, forKey key: String) throws {
        let link = try relationship(forKey: key, isToMany: false)
        try checkMayChange(link)
        if let object { try check(object, for: link) }
        try fire()
        try replace(link, with: object)
    }

    /// Returns the objects of a to-many relationship in its order; if it is unordered, by their keys with new objects
    /// last.
    public func objects(forKey key: String) throws -> [ManagedObject] {
        let link = try relationship(forKey: key, isToMany: true)
        try access()
        try load(link.end)
        let ids = values[link.slot].toMany?.ids ?? []
        let context = try liveContext()
        return try withExtendedLifetime(context.prefetchedMembers(link, of: self)) {
            try context.objects(with: link.isOrdered ? ids : context.sorted(ids))
        }
    }

    /// Sets the objects of a to-many relationship, in this order if it is ordered. Duplicates after the first are
    /// ignored.
    public func setObjects(_ objects: [ManagedObject], forKey key: String) throws {
        let link = try relationship(forKey: key, isToMany: true)
        try checkMayChange(link)
        for object in objects { try check(object, for: link) }
        try replaceAll(link, with: objects)
    }

    /// Adds an object to a to-many relationship, at the end if it is ordered. A member keeps its place.
    public func add(_ object: ManagedObject, forKey key: String) throws {
        let link = try relationship(forKey: key, isToMany: true)
        try checkMayChange(link)
        try check(object, for: link)
        try insert(object, into: link)
    }

    /// Removes an object from a to-many relationship; does nothing if it is not a member.
    public func remove(_ object: ManagedObject, forKey key: String) throws {
        let link = try relationship(forKey: key, isToMany: true)
        try checkMayChange(link)
        try remove(object, from: link)
    }

    // MARK: - Ordered relationships in place

    /// Inserts an object into an ordered to-many relationship at `index`. A member keeps its place.
    /// (`insertObject(_:inXAtIndex:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the relationship is unordered or the index is out of range.
    public func insert(_ object: ManagedObject, at index: Int, forKey key: String) throws {
        let link = try orderedRelationship(forKey: key)
        try check(object, for: link)
        let members = try visibleMembers(of: link)
        try check(index, upTo: members.count, key)
        try insert(object, into: link, at: place(of: members, index, in: link))
    }

    /// Moves the object at one index of an ordered to-many relationship to another index.
    /// (`NSMutableOrderedSet.moveObjects(at:to:)`)
    ///
    /// - Throws: as ``insert(_:at:forKey:)``.
    public func moveObject(at index: Int, to newIndex: Int, forKey key: String) throws {
        let link = try orderedRelationship(forKey: key)
        var members = try visibleMembers(of: link)
        try check(index, upTo: members.count - 1, key)
        try check(newIndex, upTo: members.count - 1, key)
        guard index != newIndex else { return }
        let id = members.remove(at: index).objectID
        // The other end does not change.
        removeLink(id, at: link.slot)
        insertLink(id, at: link.slot, place: place(of: members, newIndex, in: link))
    }

    /// Removes the object at an index of an ordered to-many relationship. (`removeObjectFromXAtIndex(_:)`)
    ///
    /// - Throws: as ``insert(_:at:forKey:)``.
    public func removeObject(at index: Int, forKey key: String) throws {
        let link = try orderedRelationship(forKey: key)
        let members = try visibleMembers(of: link)
        try check(index, upTo: members.count - 1, key)
        try remove(members[index], from: link)
    }

    private func orderedRelationship(forKey key: String) throws -> LinkLayout {
        let link = try relationship(forKey: key, isToMany: true)
        try checkMayChange(link)
        guard link.isOrdered else { throw GranaryError(.usage, "\(entity.name).\(key) is not ordered") }
        return link
    }

    /// The members that indexes count. Links to deleted objects may remain between them under the rule No Action.
    private func visibleMembers(of link: LinkLayout) throws -> [ManagedObject] {
        try load(link.end)
        return try liveContext().objects(with: values[link.slot].toMany?.ids ?? [])
    }

    /// Converts an index of the visible members to a place among all links; nil for the end.
    private func place(of members: [ManagedObject], _ index: Int, in link: LinkLayout) -> Int? {
        guard members.indices.contains(index) else { return nil }
        return values[link.slot].toMany?.ids.firstIndex(of: members[index].objectID)
    }

    private func check(_ index: Int, upTo last: Int, _ key: String) throws {
        guard index >= 0, index <= last else {
            let range = last < 0 ? "it has no objects" : "it must be from 0 to \(last)"
            throw GranaryError(.usage, "\(entity.name).\(key): the index is \(index); \(range)")
        }
    }

    func relationship(forKey key: String, isToMany: Bool) throws -> LinkLayout {
        switch layout.entity.property(named: key) {
        case .relationship(let index):
            let link = layout.relationships[index]
            guard link.isToMany == isToMany else {
                throw GranaryError(
                    .usage,
                    link.isToMany
                        ? "\(entity.name).\(key) is a to-many relationship; use objects(forKey:)"
                        : "\(entity.name).\(key) is a to-one relationship; use object(forKey:)")
            }
            return link
        case .attribute:
            throw GranaryError(.usage, "\(entity.name).\(key) is an attribute; use value(forKey:)")
        case nil: throw unknown(key)
        }
    }

    private func checkMayChange(_ link: LinkLayout) throws {
        try refuseLostChange(link.name)
        _ = try liveContext()
        try access()
        if isDeleted { throw GranaryError(.usage, "\(self) is deleted; its \(link.name) cannot be changed") }
    }

    private func check(_ object: ManagedObject, for link: LinkLayout) throws {
        if object.managedObjectContext === managedObjectContext { try object.access() }
        if object.isDeleted { throw GranaryError(.usage, "\(object) is deleted; it cannot become \(link.name)") }
        if let loss = object.loss { throw loss.error(object, "it cannot become \(link.name) of \(self)") }
        if managedObjectContext == nil || object.managedObjectContext !== managedObjectContext {
            try joinDetached(object)
        }
        let expected = link.end.destination
        guard object.layout.isKind(of: expected) else {
            throw mismatch(link.name, "\(object) is not of the entity \(layout.schema.entities[expected].name)")
        }
        // The inverse may have a narrower destination entity.
        if let inverse = link.inverse, !layout.isKind(of: inverse.destination) {
            let name = layout.schema.entities[inverse.destination].name
            throw mismatch(
                link.name, "the inverse \(inverse.name) of \(object) takes only objects of the entity \(name)")
        }
    }

    private func mismatch(_ property: String, _ message: String) -> GranaryError {
        GranaryError(Diagnostic(.valueSyntax, message, entity: entity.name, property: property))
    }

    /// - Throws: ``GranaryError`` with code `usage` if the object has lost its context.
    func liveContext() throws -> ManagedObjectContext {
        guard let context = linkContext else {
            if let loss { throw loss.error(self, "its relationships cannot be followed") }
            throw GranaryError(.usage, "\(self) no longer belongs to a context; its relationships cannot be followed")
        }
        return context
    }
}
