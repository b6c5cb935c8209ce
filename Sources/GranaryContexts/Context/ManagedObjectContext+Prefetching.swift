import GranaryBase
import GranaryCoordination
import GranaryModel

/// Reads related objects in batches.
extension ManagedObjectContext {
    /// Returns the destination of a to-one relationship.
    ///
    /// When the relationship is followed for a second object of a batch, the rows for all objects of the batch are read
    /// at once.
    func follow(_ link: LinkLayout, of object: ManagedObject, to id: ManagedObjectID) throws -> ManagedObject? {
        if let known = registeredObject(for: id), !known.isUnverified { return known.isDeleted ? nil : known }
        if let row = try prefetchedRow(link, of: object, id) { return self.object(for: row) }
        return try self.lookUpObject(with: id)
    }

    private func prefetchedRow(
        _ link: LinkLayout, of object: ManagedObject, _ id: ManagedObjectID
    ) throws -> StoredRow? {
        guard parent == nil, let shared = object.row?.shared, let key = id.key,
            id.origin.identifier == shared.identity.identifier
        else { return nil }
        var prefetched = currentPrefetched(of: shared, link.id)
        if let rows = prefetched.rows, stalenessInterval == nil { return rows[key] }
        prefetched.touches += 1
        shared.prefetched[link.id] = prefetched
        guard shared.batch.rows.count > 1, prefetched.touches > 1 else { return nil }
        try prefetch(link.relationship, from: shared)
        return shared.prefetched[link.id]?.rows?[key]
    }

    /// The data read for a batch since the last save. The count restarts after a save, so that a loop that saves does
    /// not read batches.
    private func currentPrefetched(of shared: SharedBatch, _ id: LinkLayout.ID) -> PrefetchedRelationships {
        let generation = self.generation
        if let prefetched = shared.prefetched[id], prefetched.generation == generation { return prefetched }
        return PrefetchedRelationships(generation: generation)
    }

    /// Returns the links that the store or the parent has for one object.
    func storedLinks(of end: LinkLayout.End, owner: ManagedObject) throws -> LinkedObjects {
        var ids = try parent.map { try parentLinks(of: end, owner: owner, in: $0) } ?? readLinks(of: end, owner: owner)
        if end.relationship.inverse == nil {
            // Without an inverse only the context can tell that another object has taken a member.
            ids.removeAll { id in
                if isTaken(id, over: end, from: owner) { return true }
                setExclusiveOwner(owner.objectID, of: id, over: end.id)
                return false
            }
        }
        return LinkedObjects(ids, isOrdered: end.isOrdered)
    }

    /// Whether an unsaved change has moved the member to another object. Links that were only read are not more current
    /// than the ones read now.
    private func isTaken(_ member: ManagedObjectID, over end: LinkLayout.End, from owner: ManagedObject) -> Bool {
        guard let id = exclusiveOwner(of: member, over: end.id), id != owner.objectID,
            let other = registeredObject(for: id), other.hasChanges, !other.isDeleted,
            other.values[end.id.slot].toMany?.contains(member) == true
        else { return false }
        return other.isInserted || other.snapshot?[end.id.slot].toMany?.contains(member) == false
    }

    private func parentLinks(
        of end: LinkLayout.End, owner: ManagedObject, in parent: ManagedObjectContext
    ) throws -> [ManagedObjectID] {
        guard let original = try parent.lookUpObject(with: owner.objectID) else { return [] }
        try original.load(end)
        return original.values[end.id.slot].toMany?.ids ?? []
    }

    private func readLinks(of end: LinkLayout.End, owner: ManagedObject) throws -> [ManagedObjectID] {
        guard let key = owner.objectID.key, !owner.isInserted,
            let store = persistentStoreCoordinator.store(withIdentifier: owner.objectID.origin.identifier)
        else { return [] }
        let id = { (link: Link) in
            ManagedObjectID(origin: store.identity, entity: link.entity, key: link.destination)
        }
        if let shared = owner.row?.shared {
            var prefetched = currentPrefetched(of: shared, end.id)
            prefetched.touches += 1
            if prefetched.links == nil, prefetched.touches > 1, shared.batch.rows.count > 1, stalenessInterval == nil {
                prefetched.links = try readLinks(of: end, from: shared, store)
            }
            shared.prefetched[end.id] = prefetched
            if let links = prefetched.links { return (links[key] ?? []).map(id) }
        }
        return try reading(store) { store in
            var links: [Link] = []
            try store.readLinks(of: end.relationship, owners: [key]) { links.append($0) }
            return links
        }.map(id)
    }

    /// Reads the links of all rows of a batch, by their owner's key.
    private func readLinks(
        of end: LinkLayout.End, from shared: SharedBatch, _ store: PersistentStore
    ) throws -> [Int64: [Link]] {
        let owners = shared.batch.rows.filter {
            layouts[Int($0.entity)].isKind(of: end.id.owner)
        }.map(\.key)
        return try reading(store) { store in
            var links: [Int64: [Link]] = [:]
            try store.readLinks(of: end.relationship, owners: owners) { links[$0.owner, default: []].append($0) }
            return links
        }
    }

    /// Creates the members of a to-many relationship whose rows were read with the owner's.
    func prefetchedMembers(_ link: LinkLayout, of object: ManagedObject) -> [ManagedObject] {
        guard parent == nil, let shared = object.row?.shared, let rows = currentPrefetched(of: shared, link.id).rows
        else { return [] }
        return (object.values[link.slot].toMany?.ids ?? []).compactMap { id in
            guard registeredObject(for: id) == nil, let row = id.key.flatMap({ rows[$0] }), isFresh(row) else {
                return nil
            }
            return self.object(for: row)
        }
    }

    /// Reads the destinations of key paths for all rows of a batch.
    func prefetch(_ paths: [String], from shared: SharedBatch) throws {
        for path in paths {
            var batches = [shared]
            for name in path.split(separator: ".").map(String.init) {
                var next: [SharedBatch] = []
                for batch in batches {
                    let entities = Set(batch.batch.rows.map { Int($0.entity) }).sorted()
                    let found = entities.compactMap {
                        persistentStoreCoordinator.schema.entities[$0].relationship(named: name)
                    }
                    // Subentities share inherited relationships.
                    var seen: Set<LinkLayout.ID> = []
                    for relationship in found where seen.insert(LinkLayout.ID(relationship)).inserted {
                        next += try prefetch(relationship, from: batch)
                    }
                }
                batches = next
            }
        }
    }

    @discardableResult
    private func prefetch(_ relationship: Schema.Relationship, from shared: SharedBatch) throws -> [SharedBatch] {
        guard relationship.isPersistent,
            let store = persistentStoreCoordinator.store(withIdentifier: shared.identity.identifier)
        else { return [] }
        let end = LinkLayout.End(relationship)
        var prefetched = PrefetchedRelationships(generation: generation)
        var found: [Int64: StoredRow] = [:]
        var keys: Set<Int64> = []
        if relationship.isToMany {
            let links = try readLinks(of: end, from: shared, store)
            for list in links.values { keys.formUnion(list.map(\.destination)) }
            prefetched.links = links
        } else {
            for (index, header) in shared.batch.rows.enumerated()
            where layouts[Int(header.entity)].isKind(of: end.id.owner) {
                if case .reference(let key, _) = shared.batch[index, end.id.slot] { keys.insert(key) }
            }
        }
        let sorted = keys.sorted()
        let root = persistentStoreCoordinator.schema.entities[relationship.destination].root
        var batches: [SharedBatch] = []
        for start in stride(from: 0, to: sorted.count, by: 500) {
            let part = Array(sorted[start..<min(start + 500, sorted.count)])
            let mark = readMark
            let batch = try share(try reading(store) { try $0.read(root: root, keys: part) }, of: store, read: mark)
            for (index, header) in batch.batch.rows.enumerated() { found[header.key] = row(batch, index) }
            batches.append(batch)
        }
        prefetched.rows = found
        shared.prefetched[end.id] = prefetched
        return batches
    }
}
