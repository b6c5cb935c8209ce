import GranaryBase
import GranaryCoordination
import GranaryModel

/// The changes of a save for one store, in writing order: deletions come first, to free their unique values.
struct SavePlan {
    let context: ManagedObjectContext
    let store: PersistentStore
    let coding: RowCoding
    let inserts: [ManagedObject]
    /// Only objects that differ from the store.
    let updates: [ManagedObject]
    /// Objects that others deleted from the store, to be written again under their keys.
    let revivals: [ManagedObject]
    let deletes: [ManagedObject]
    private let updatedIDs: Set<ManagedObjectID>

    /// Returns the plans for all stores that the changes affect, in the coordinator's order.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if there is no store for a new object.
    static func plans(for context: ManagedObjectContext) throws(GranaryError) -> [SavePlan] {
        var inserts: [String: [ManagedObject]] = [:]
        for object in context.inserted.inSavingOrder {
            guard let identifier = object.objectID.storeIdentifier ?? context.storeIdentifier(forNew: object) else {
                throw context.persistentStoreCoordinator.noStore(for: object.entity)
            }
            inserts[identifier, default: []].append(object)
        }
        let changed = context.updated.inSavingOrder.filter(\.hasPersistentChanges)
        let updates = Dictionary(grouping: changed, by: \.objectID.origin.identifier)
        let deletes = Dictionary(
            grouping: context.deleted.inSavingOrder.filter { !$0.isGoneFromStore },
            by: \.objectID.origin.identifier)
        let present = Set(context.persistentStoreCoordinator.persistentStores.map(\.identifier))
        if let lost = (Array(inserts.keys) + updates.keys + deletes.keys).first(where: { !present.contains($0) }) {
            throw GranaryError(
                .refused, "the store \(lost) of changed objects was removed from the coordinator")
        }
        var plans: [SavePlan] = []
        for store in context.persistentStoreCoordinator.persistentStores {
            let identifier = store.identity.identifier
            let plan = SavePlan(
                context: context, store: store, inserts: inserts.removeValue(forKey: identifier) ?? [],
                updates: updates[identifier] ?? [], deletes: deletes[identifier] ?? [])
            if !plan.isEmpty { plans.append(plan) }
        }
        return plans
    }

    init(
        context: ManagedObjectContext, store: PersistentStore, inserts: [ManagedObject], updates: [ManagedObject],
        deletes: [ManagedObject]
    ) {
        self.context = context
        self.store = store
        coding = RowCoding(identity: store.identity)
        self.inserts = inserts
        self.updates = updates.filter { !$0.isRevived }
        revivals = updates.filter(\.isRevived)
        self.deletes = deletes
        updatedIDs = Set(updates.map(\.objectID))
    }

    var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && revivals.isEmpty && deletes.isEmpty }

    /// All objects whose rows are written.
    var written: [ManagedObject] { inserts + revivals + updates }

    func isUpdated(_ object: ManagedObject) -> Bool { updatedIDs.contains(object.objectID) }

    // MARK: - Writing

    /// Allocates permanent IDs for the new objects and returns them by their temporary IDs.
    static func reserveKeys(
        _ writer: any StoreWriter, for objects: [ManagedObject], in identity: StoreIdentity
    ) throws -> [ManagedObjectID: ManagedObjectID] {
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        let new = objects.filter(\.objectID.isTemporaryID)
        for (root, objects) in Dictionary(grouping: new, by: \.objectID.root).sorted(by: { $0.key < $1.key }) {
            let first = try writer.reserveKeys(root: root, count: objects.count)
            permanent.reserveCapacity(permanent.count + objects.count)
            for (offset, object) in objects.enumerated() {
                permanent[object.objectID] = ManagedObjectID(
                    origin: identity, entity: object.layout.index, key: first + Int64(offset))
            }
        }
        return permanent
    }

    /// Writes all changes. Call it inside a transaction.
    ///
    /// - Parameter yielding: objects that must first release their unique values.
    /// - Returns: the permanent IDs of the new objects by their temporary IDs.
    func write(
        _ writer: any StoreWriter, yielding: Set<ManagedObject>
    ) throws -> [ManagedObjectID: ManagedObjectID] {
        let permanent = try Self.reserveKeys(writer, for: inserts, in: coding.identity)
        let successor = { (id: ManagedObjectID) in permanent[id] ?? (context.isGoing(id) ? nil : id) }
        for (entity, objects) in Dictionary(grouping: deletes, by: \.layout.index).sorted(by: { $0.key < $1.key }) {
            try writer.delete(entity: entity, keys: objects.compactMap(\.objectID.key))
        }
        try write(updates.filter { yielding.contains($0) }, writer.update) { object, batch in
            try coding.append(
                object, key: object.objectID.key ?? 0, version: object.version, withheld: uniqueSlots(of: object),
                to: &batch, successor: successor)
        }
        try write(updates, writer.update) { object, batch in
            try coding.append(
                object, key: object.objectID.key ?? 0, version: object.version + 1, to: &batch, successor: successor)
        }
        try write(inserts + revivals, writer.insert) { object, batch in
            guard let key = successor(object.objectID)?.key else { return }
            try coding.append(object, key: key, version: object.version + 1, to: &batch, successor: successor)
        }
        for object in written { try writeLinks(of: object, writer, successor) }
        return permanent
    }

    /// Passes rows to `flush` in batches of bounded size.
    private func write(
        _ objects: [ManagedObject], _ flush: (borrowing RowBatch) throws -> Void,
        _ append: (ManagedObject, inout RowBatch) throws -> Void
    ) throws {
        var batch = RowBatch()
        for object in objects {
            try append(object, &batch)
            if batch.rows.count >= 500 || batch.bytes.count >= 8 << 20 {
                try flush(batch)
                batch.removeAll()
            }
        }
        if !batch.isEmpty { try flush(batch) }
    }

    private func uniqueSlots(of object: ManagedObject) -> Set<Int> {
        let layout = object.layout
        return Set(
            layout.entity.uniquenessConstraints.flatMap(\.properties).map { property in
                switch property {
                case .attribute(let index): layout.entity.attributes[index].slot
                case .relationship(let index): layout.relationships[index].slot
                }
            })
    }

    private func writeLinks(
        of object: ManagedObject, _ writer: any StoreWriter, _ successor: (ManagedObjectID) -> ManagedObjectID?
    ) throws {
        for link in object.layout.relationships where link.isWrittenAsLinks {
            guard case .toMany(let links?) = object.values[link.slot],
                object.isRevived
                    || object.snapshot.map({ $0[link.slot] != object.values[link.slot] }) ?? (links.count > 0),
                let owner = successor(object.objectID)?.key
            else { continue }
            let targets = links.ids.compactMap(successor)
            // Sorted so that unordered relationships are written deterministically.
            let ordered = link.isOrdered ? targets : targets.sorted { ($0.key ?? 0) < ($1.key ?? 0) }
            try writer.setLinks(
                link.relationship, owner: owner, ownerEntity: object.layout.index,
                to: ordered.compactMap { id in
                    id.key.map { Link(owner: owner, entity: id.entity, destination: $0) }
                })
        }
    }

    // MARK: - Checks

    /// Returns the objects whose rows others have changed or deleted since they were read, with their current rows.
    func changedRows(_ store: any StoreBackend) throws -> [(object: ManagedObject, batch: RowBatch?)] {
        var found: [(ManagedObject, RowBatch?)] = []
        let stored = Dictionary(grouping: updates + deletes + revivals, by: \.objectID.root)
        for (root, objects) in stored.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: objects.count, by: 500) {
                let part = objects[start..<min(start + 500, objects.count)]
                let versions = try store.versions(root: root, keys: part.compactMap(\.objectID.key))
                for object in part {
                    guard let key = object.objectID.key,
                        object.isRevived ? versions[key] != nil : versions[key] != object.version
                    else { continue }
                    found.append((object, versions[key] == nil ? nil : try store.read(root: root, keys: [key])))
                }
            }
        }
        return found
    }

    /// Returns a diagnostic for each relationship that leads to another store.
    func crossingLinks(_ storeOf: (ManagedObjectID) -> String?) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for object in written {
            for link in object.layout.relationships where link.isPersistent {
                let ids = object.values[link.slot].ids
                guard let other = ids.first(where: { storeOf($0).map { $0 != store.identity.identifier } ?? false })
                else { continue }
                found.append(
                    Diagnostic(
                        .relationshipStores, "\(object.objectID) and \(other) are in different stores",
                        entity: object.entity.name, property: link.name))
            }
        }
        return found
    }
}
