import GranaryBase
import GranaryModel

/// What a save writes, and in which order: what is deleted goes first, so that its unique values are free.
struct SavePlan {
    let context: ManagedObjectContext
    let coding: RowCoding
    let inserts: [ManagedObject]
    /// Only those that differ from what the store has.
    let updates: [ManagedObject]
    let deletes: [ManagedObject]
    private let updatedIDs: Set<ManagedObjectID>

    init(context: ManagedObjectContext) {
        self.context = context
        coding = RowCoding(identity: context.persistentStoreCoordinator.identity)
        inserts = context.inserted.inSavingOrder
        updates = context.updated.inSavingOrder.filter(\.hasPersistentChanges)
        deletes = context.deleted.inSavingOrder
        updatedIDs = Set(updates.map(\.objectID))
    }

    func isUpdated(_ object: ManagedObject) -> Bool { updatedIDs.contains(object.objectID) }

    /// Writes everything in one transaction.
    ///
    /// - Parameter yielding: objects that first have to give up their unique values.
    /// - Returns: the new objects' permanent IDs, by their temporary ones.
    func write(
        to store: any PersistentStore, yielding: Set<ManagedObject>
    ) throws -> [ManagedObjectID: ManagedObjectID] {
        if inserts.isEmpty, updates.isEmpty, deletes.isEmpty { return [:] }
        return try store.transaction { writer in
            try checkVersions(store)
            let permanent = try reserveKeys(writer)
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
                    object, key: object.objectID.key ?? 0, version: object.version + 1, to: &batch,
                    successor: successor)
            }
            try write(inserts, writer.insert) { object, batch in
                guard let key = permanent[object.objectID]?.key else { return }
                try coding.append(object, key: key, version: 1, to: &batch, successor: successor)
            }
            for object in inserts + updates { try writeLinks(of: object, writer, successor) }
            return permanent
        }
    }

    private func reserveKeys(_ writer: any StoreWriter) throws -> [ManagedObjectID: ManagedObjectID] {
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        for (root, objects) in Dictionary(grouping: inserts, by: \.objectID.root).sorted(by: { $0.key < $1.key }) {
            let first = try writer.reserveKeys(root: root, count: objects.count)
            for (offset, object) in objects.enumerated() {
                permanent[object.objectID] = ManagedObjectID(
                    origin: coding.identity, entity: object.layout.index, reference: .stored(first + Int64(offset)))
            }
        }
        return permanent
    }

    /// Hands rows on in batches of bounded size.
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
                object.snapshot.map({ $0[link.slot] != object.values[link.slot] }) ?? (links.count > 0),
                let owner = successor(object.objectID)?.key
            else { continue }
            let targets = links.ids.compactMap(successor)
            // Where there is no order the same objects still give the same calls.
            let ordered = link.isOrdered ? targets : targets.sorted { ($0.key ?? 0) < ($1.key ?? 0) }
            try writer.setLinks(
                link.relationship, owner: owner, ownerEntity: object.layout.index,
                to: ordered.compactMap { id in
                    id.key.map { Link(owner: owner, entity: id.entity, destination: $0) }
                })
        }
    }

    /// Refuses the save when somebody else has changed or deleted one of its rows since it was read (133020).
    private func checkVersions(_ store: any PersistentStore) throws {
        var collector = DiagnosticCollector()
        let stored = Dictionary(grouping: updates + deletes, by: \.objectID.root)
        for (root, objects) in stored.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: objects.count, by: 500) {
                let part = objects[start..<min(start + 500, objects.count)]
                let batch = try store.read(root: root, keys: part.compactMap(\.objectID.key))
                let versions = Dictionary(batch.rows.map { ($0.key, $0.version) }) { first, _ in first }
                for object in part {
                    let found = object.objectID.key.flatMap { versions[$0] }
                    guard found != object.version else { continue }
                    let what = found == nil ? "was deleted" : "was changed"
                    collector.add(
                        Diagnostic(
                            .objectConflict, "\(what) in the store since it was read (\(object.objectID))",
                            entity: object.entity.name, coreDataCode: 133_020))
                }
            }
        }
        try collector.throwIfAnyError("objects of the save were changed by somebody else")
    }
}
