package import GranaryModel

extension InMemoryWriter {
    /// Updates the to-many relationships that mirror the references of a row.
    ///
    /// - Parameters:
    ///   - row: the new row; nil if it is deleted.
    ///   - old: the old row; nil if it is new.
    func mirrorReferences(of row: InMemoryRow?, key: Int64, instead old: InMemoryRow?) {
        guard let entity = row?.entity ?? old?.entity else { return }
        for link in store.links[Int(entity)] where !link.isToMany {
            guard let inverse = link.inverse, inverse.isToMany else { continue }
            let before = Self.reference(old, link.slot)
            let after = Self.reference(row, link.slot)
            guard before != after else { continue }
            if let before { store.state.links[inverse.id]?[before]?.remove(key) }
            if let after {
                store.state.links[inverse.id, default: [:]][after, default: LinkList()].insert(
                    LinkList.Entry(entity: entity, key: key))
            }
        }
    }

    private static func reference(_ row: InMemoryRow?, _ slot: Int) -> Int64? {
        if case .reference(let key, _)? = row?.cells[slot] { key } else { nil }
    }

    package func setLinks(
        _ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]
    ) throws {
        guard relationship.isToMany else { return }
        let link = LinkLayout(relationship, schema: store.schema)
        let list = LinkList(
            destinations.map { LinkList.Entry(entity: Int32($0.entity), key: $0.destination) },
            isOrdered: link.isOrdered)
        let old = store.state.links[link.id]?[owner]?.entries ?? []
        let wanted = Set(list.entries.map(\.key))
        let present = Set(old.map(\.key))
        let removed = old.filter { !wanted.contains($0.key) }
        let added = list.entries.filter { !present.contains($0.key) }
        let entry = LinkList.Entry(entity: Int32(ownerEntity), key: owner)
        if let inverse = link.inverse, !inverse.isToMany {
            let root = store.schema.entities[link.end.destination].root
            let reference = StoredCell.reference(key: owner, entity: entry.entity)
            for member in removed { try setReference(.null, slot: inverse.id.slot, root: root, key: member.key) }
            for member in added { try setReference(reference, slot: inverse.id.slot, root: root, key: member.key) }
            store.state.links[link.id, default: [:]][owner] = list
        } else if let inverse = link.inverse {
            store.state.links[link.id, default: [:]][owner] = list
            // A relationship that is its own inverse has the link to itself already.
            for member in removed where !(link.isOwnInverse && member.key == owner) {
                store.state.links[inverse.id]?[member.key]?.remove(owner)
            }
            for member in added where !(link.isOwnInverse && member.key == owner) {
                store.state.links[inverse.id, default: [:]][member.key, default: LinkList()].insert(entry)
            }
        } else {
            for member in removed { store.state.owners[link.id]?[member.key] = nil }
            for member in added {
                let other = store.state.owners[link.id, default: [:]].updateValue(owner, forKey: member.key)
                if let other, other != owner { store.state.links[link.id]?[other]?.remove(member.key) }
            }
            store.state.links[link.id, default: [:]][owner] = list
        }
    }

    /// Removes the links of an object that are not stored in rows.
    func removeLinks(of key: Int64, entity: Int) {
        for link in store.links[entity] where link.isToMany {
            if let inverse = link.inverse {
                guard inverse.isToMany else { continue }
                for member in store.state.links[link.id]?.removeValue(forKey: key)?.entries ?? [] {
                    store.state.links[inverse.id]?[member.key]?.remove(key)
                }
            } else {
                for member in store.state.links[link.id]?.removeValue(forKey: key)?.entries ?? [] {
                    store.state.owners[link.id]?[member.key] = nil
                }
            }
        }
        // The owners of the object over relationships without an inverse.
        for id in Array(store.state.owners.keys)
        where store.schema.entity(entity, isKindOf: store.destination(of: id)) {
            guard let owner = store.state.owners[id]?.removeValue(forKey: key) else { continue }
            store.state.links[id]?[owner]?.remove(key)
        }
    }

    package func completeOrder() throws {
        for id in Array(store.state.links.keys) where store.isOrdered(id) {
            for owner in Array((store.state.links[id] ?? [:]).keys) { store.state.links[id]?[owner]?.completeOrder() }
        }
    }
}

extension InMemoryStore {
    fileprivate func link(_ id: LinkLayout.ID) -> LinkLayout? { links[id.owner].first { $0.slot == id.slot } }

    /// The index of a relationship's declared destination.
    fileprivate func destination(of id: LinkLayout.ID) -> Int { link(id)?.end.destination ?? 0 }

    fileprivate func isOrdered(_ id: LinkLayout.ID) -> Bool { link(id)?.isOrdered ?? false }
}
