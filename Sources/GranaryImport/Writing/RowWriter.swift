import GranaryBase
import GranaryCoordination
import GranaryModel

/// Writes accepted rows to the store, and compares rows of existing objects with the stored values.
///
/// If the store refuses a row, its record is added to ``rejections``, and the other rows are written.
final class RowWriter {
    /// A record that is rejected because the store refused its row, or because its object cannot be saved.
    struct Rejection {
        let place: RecordLocation
        let entity: Int
        let error: GranaryError
    }

    /// A one-to-one relationship that a row sets. Its inverse is set after all rows are written.
    struct Pairing {
        let relationship: Schema.Relationship
        let owner: RowID
        let ownerEntity: Int
        let from: Int64?
        let to: StoredCell
        /// Whether the stored value was another one.
        var isChange = true
    }

    let schema: Schema
    let store: any StoreBackend
    let writer: any StoreWriter
    private(set) var rejections: [Rejection] = []
    private(set) var counts = WrittenCounts()
    private(set) var changes: ChangeLog
    /// The written rows that are saved as managed objects.
    private(set) var objects = WrittenObjects()
    private let objectEntities: Set<Int>
    private(set) var pairings: [Pairing] = []
    var relinked: RelinkedObjects
    /// Rows of records with lists. Whether they change their object is known only after the lists are written.
    private var open: [MergeID: OpenMerge] = [:]
    /// The objects whose version was raised.
    private var raised: Set<RowID> = []
    private var freed = ReleasedUniqueValues()
    /// For each entity, its one-to-one relationships.
    private let oneToOnes: [[Schema.Relationship]]

    private struct OpenMerge {
        let job: Int
        let replaces: Bool
        /// Whether the row is a record. Nested objects are not counted.
        let isRecord: Bool
        var isChanged: Bool
    }

    /// The number of rows of one hierarchy that are read at once.
    static let lookupRows = 500

    init(
        schema: Schema, store: any StoreBackend, writer: any StoreWriter, changes: ChangeLog,
        lastKeys: [Int: Int64], objectEntities: Set<Int>
    ) {
        self.schema = schema
        self.store = store
        self.writer = writer
        self.changes = changes
        self.objectEntities = objectEntities
        relinked = RelinkedObjects(schema: schema, lastKeys: lastKeys)
        oneToOnes = schema.entities.map { entity in
            entity.relationships.filter { $0.isPersistent && schema.isOneToOne($0) }
        }
    }

    /// Writes rows whose primary keys and references are final.
    func write(_ batch: ParsedRows) throws {
        writer.bulk?.expect(rows: batch.expectedRows)
        guard !batch.merges.isEmpty else { return try insert(batch) }
        // Changed objects can refer to objects that lookups create.
        if batch.origins.contains(where: \.isMade) { try insert(batch.only { $0.isMade }) }
        // New rows come later, because they can use unique values that changes release.
        let supplements = batch.merges.contains(where: \.supplements)
        try merge(batch, supplements: false)
        try insert(batch.only { $0.merge < 0 && !$0.isMade })
        if supplements { try merge(batch, supplements: true) }
    }

    private func insert(_ batch: ParsedRows) throws {
        var lost: Set<Int> = []
        try insert(batch.rows) { row, error in
            lost.insert(row)
            rejections.append(
                Rejection(place: batch.origins[row].place, entity: Int(batch.rows.rows[row].entity), error: error))
        }
        var ofJob = counts.byJob[batch.job] ?? WrittenCounts.OfJob()
        for row in batch.rows.rows.indices where lost.isEmpty || !lost.contains(row) {
            if batch.origins[row].isMade {
                counts.made += 1
                noteMade(rowID(batch.rows.rows[row]), entity: Int(batch.rows.rows[row].entity))
                continue
            }
            if batch.origins[row].isRecord {
                ofJob.created += 1
            } else {
                ofJob.nested += 1
                counts.nestedInserts += 1
            }
            pair(row, of: batch.rows)
            let entity = Int(batch.rows.rows[row].entity)
            guard objectEntities.contains(entity) else { continue }
            objects.append(
                entity, rowID(batch.rows.rows[row]), at: batch.origins[row].place,
                sets: batch.mask(of: row, slotCount: schema.entities[entity].slotCount))
        }
        counts.byJob[batch.job] = ofJob
        if !batch.links.isEmpty { try addLinks(of: batch, without: lost) }
    }

    /// Writes the links of new objects.
    private func addLinks(of batch: ParsedRows, without lost: Set<Int>) throws {
        var links = NewLinks()
        for row in batch.origins.indices where batch.origins[row].linkCount > 0 && !lost.contains(row) {
            let header = batch.rows.rows[row]
            for link in batch.links(of: row) {
                let relationships = schema.entities[Int(link.owner)].relationships
                guard let relationship = relationships.first(where: { $0.slot == Int(link.slot) }) else { continue }
                let member = Link(owner: header.key, entity: Int(link.entity), destination: link.destination)
                links.add(CollectionOfOne(member), of: relationship, ownerEntity: Int(header.entity))
            }
        }
        for group in links.groups { try insert(group) }
    }

    /// Writes links of objects that have none in the relationship yet.
    func insert(_ group: NewLinks.Group) throws {
        try writer.insertLinks(group.relationship, group.links, ownerEntity: group.ownerEntity)
        for link in group.links { relinked.note(group.relationship, link.destination) }
    }

    /// Inserts rows. `refused` is called for each row that the store refuses.
    func insert(_ rows: borrowing RowBatch, refused: (Int, GranaryError) -> Void) throws {
        var lost: Set<Int> = []
        try write(rows, { try writer.insert($0) }) { row, error in
            lost.insert(row)
            refused(row, error)
        }
        for row in rows.rows.indices where lost.isEmpty || !lost.contains(row) { relinked.note(row, of: rows) }
    }

    private func pair(_ row: Int, of rows: borrowing RowBatch) {
        let header = rows.rows[row]
        for relationship in oneToOnes[Int(header.entity)] {
            guard case .reference = rows[row, relationship.slot] else { continue }
            pairings.append(
                Pairing(
                    relationship: relationship, owner: rowID(header), ownerEntity: Int(header.entity), from: nil,
                    to: rows[row, relationship.slot]))
        }
    }

    /// Notes that the object of a written row cannot be saved, which rejects its record.
    func reject(_ place: RecordLocation, entity: Int, _ error: GranaryError) {
        rejections.append(Rejection(place: place, entity: entity, error: error))
    }

    private func rowID(_ header: RowBatch.Header) -> RowID {
        RowID(root: schema.entities[Int(header.entity)].root, key: header.key)
    }

    /// Writes rows with `body`. If the store refuses a row, it continues with the next one.
    private func write(
        _ rows: borrowing RowBatch, _ body: (borrowing RowBatch) throws -> Void, refused: (Int, GranaryError) -> Void
    ) throws {
        var rest = copy rows
        var first = 0
        while !rest.isEmpty {
            let start = writer.writtenRows
            do { return try body(rest) } catch let error as GranaryError {
                let place = writer.writtenRows - start
                // Other errors, such as a full disk, do not belong to a row.
                guard error.code == .refused, rest.rows.indices.contains(place) else { throw error }
                refused(first + place, error)
                rest.rows.removeFirst(place + 1)
                first += place + 1
            }
        }
    }

    // MARK: Existing objects

    /// Removes unique values that other objects take over, so that the order of rows does not matter.
    func free(_ keys: [FreedKey]) throws { try freed.clear(keys, schema, store, writer) }

    private func merge(_ batch: ParsedRows, supplements: Bool) throws {
        var byRoot: [Int: [Int]] = [:]
        for row in batch.origins.indices where batch.merge(of: row)?.supplements == supplements {
            byRoot[schema.entities[Int(batch.rows.rows[row].entity)].root, default: []].append(row)
        }
        for root in byRoot.keys.sorted() {
            var rest = (byRoot[root] ?? [])[...]
            while !rest.isEmpty {
                var count = min(Self.lookupRows, rest.count)
                if supplements {
                    // Several rows can add to one object, and each compares the row that the one before it has written.
                    var keys: Set<Int64> = []
                    count = rest.prefix(count).prefix { keys.insert(batch.rows.rows[$0].key).inserted }.count
                }
                try merge(Array(rest.prefix(count)), root: root, of: batch)
                rest = rest.dropFirst(count)
            }
        }
    }

    private struct Change {
        let row: Int
        let merge: ParsedRows.Merge
        let properties: [ParsedRows.Property]
        let values: [ImportChange.Value]
        let pairings: [Pairing]
        let ends: [(relationship: Schema.Relationship, object: Int64)]
    }

    private func merge(_ rows: [Int], root: Int, of batch: ParsedRows) throws {
        let stored = try store.read(root: root, keys: rows.map { batch.rows.rows[$0].key })
        let places = Dictionary(
            stored.rows.indices.map { (stored.rows[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
        var updates = RowBatch()
        var pending: [Change] = []
        for row in rows {
            guard let merge = batch.merge(of: row) else { continue }
            let key = batch.rows.rows[row].key
            guard let place = places[key] else {
                let error = GranaryError(
                    Diagnostic(.objectGone, "the store refused the object of an earlier record"))
                rejections.append(
                    Rejection(place: batch.origins[row].place, entity: Int(batch.rows.rows[row].entity), error: error))
                continue
            }
            let id = RowID(root: root, key: key)
            if let original = freed.original(id) {
                try compare(row, merge, of: batch, original, 0, &updates, &pending)
            } else {
                try compare(row, merge, of: batch, stored, place, &updates, &pending)
            }
        }
        var lost: Set<Int> = []
        var lostRows: Set<Int> = []
        try write(updates, { try writer.update($0) }) { index, error in
            lost.insert(index)
            lostRows.insert(pending[index].row)
            let row = pending[index].row
            rejections.append(
                Rejection(place: batch.origins[row].place, entity: Int(batch.rows.rows[row].entity), error: error))
        }
        for (index, change) in pending.enumerated() where !lost.contains(index) { note(change, of: batch) }
        let kept = rows.filter { !lostRows.contains($0) && places[batch.rows.rows[$0].key] != nil }
        for end in try ListWriter(rows: self).writeKnown(of: kept, batch) { open[end] = nil }
    }

    /// Compares a row with the stored object.
    private func compare(
        _ row: Int, _ merge: ParsedRows.Merge, of batch: ParsedRows, _ stored: borrowing RowBatch, _ place: Int,
        _ updates: inout RowBatch, _ pending: inout [Change]
    ) throws {
        let header = batch.rows.rows[row]
        let origin = batch.origins[row]
        let entity = schema.entities[Int(stored.rows[place].entity)]
        let changed = batch.changedProperties(row, merge, entity, stored, place)
        let id = rowID(header)
        if merge.equalKey >= 0, let first = changed.first {
            let error = GranaryError(otherValues(entity, merge, first, row, of: batch, stored, place))
            rejections.append(Rejection(place: origin.place, entity: entity.index, error: error))
            return
        }
        if !origin.isRecord, !merge.supplements { counts.byJob[batch.job, default: WrittenCounts.OfJob()].nested += 1 }
        if merge.hasLists {
            open[MergeID(row: id, record: origin.record)] = OpenMerge(
                job: batch.job, replaces: merge.replaces, isRecord: origin.isRecord, isChanged: !changed.isEmpty)
        }
        // An unchanged one-to-one counts too, because another record can set the other end differently.
        for relationship in oneToOnes[entity.index] where batch.sets(relationship.slot, merge) {
            guard !changed.contains(where: { $0.slot == relationship.slot && $0.relationship != nil }),
                case .reference = batch.rows[row, relationship.slot]
            else { continue }
            pairings.append(
                Pairing(
                    relationship: relationship, owner: id, ownerEntity: entity.index, from: nil,
                    to: batch.rows[row, relationship.slot], isChange: false))
        }
        guard !changed.isEmpty else {
            if origin.isRecord { counts.byJob[batch.job, default: WrittenCounts.OfJob()].unchanged += 1 }
            return
        }
        let update = updates.append(place, of: stored, slotCount: entity.slotCount)
        if relinked.isStored(id), !raised.contains(id) { updates.rows[update].version += 1 }
        var newPairings: [Pairing] = []
        var ends: [(relationship: Schema.Relationship, object: Int64)] = []
        var values: [ImportChange.Value] = []
        let text = ChangeText(schema: schema)
        for property in changed {
            if let relationship = property.relationship {
                let (old, new) = (stored[place, relationship.slot], batch.rows[row, relationship.slot])
                ends += [old, new].compactMap { cell in reference(cell).map { (relationship, $0) } }
                if oneToOnes[entity.index].contains(where: { $0.slot == relationship.slot }) {
                    newPairings.append(
                        Pairing(
                            relationship: relationship, owner: id, ownerEntity: entity.index, from: reference(old),
                            to: new))
                }
            }
            updates.set(row: update, slot: property.slot, to: row, of: batch.rows)
            guard changes.hasRoom else { continue }
            values.append(
                ImportChange.Value(
                    property.name, old: text.value(property.slot, row: place, of: stored),
                    new: text.value(property.slot, row: row, of: batch.rows)))
        }
        freed.take(id, update, of: &updates, by: origin.record)
        pending.append(
            Change(row: row, merge: merge, properties: changed, values: values, pairings: newPairings, ends: ends))
    }

    /// The diagnostic of a nested object that differs from the stored object with its key.
    private func otherValues(
        _ entity: Schema.Entity, _ merge: ParsedRows.Merge, _ property: ParsedRows.Property, _ row: Int,
        of batch: ParsedRows,
        _ stored: borrowing RowBatch, _ place: Int
    ) -> Diagnostic {
        let text = ChangeText(schema: schema)
        let key = entity.attributes.first { $0.slot == Int(merge.equalKey) }?.name ?? ""
        return Diagnostic(
            .uniqueExists,
            "an object with this \(key) and other values is in the store already: \(property.name) is "
                + "\(text.value(property.slot, row: place, of: stored)) there and "
                + "\(text.value(property.slot, row: row, of: batch.rows)) here",
            entity: entity.name, property: key, coreDataCode: 1551, help: merge.canUpdate ? "--on-conflict update" : nil
        )
    }

    private func note(_ change: Change, of batch: ParsedRows) {
        let header = batch.rows.rows[change.row]
        let origin = batch.origins[change.row]
        let id = rowID(header)
        // A nested object that several records describe is one new object.
        if !change.merge.supplements || relinked.isStored(id) {
            noteChange(change, id, origin, header)
        }
        if objectEntities.contains(Int(header.entity)) {
            objects.append(Int(header.entity), id, at: origin.place, sets: nil)
        }
        if origin.isRecord { count(batch.job, updated: 1, unchanged: 0, replaces: change.merge.replaces) }
        if change.merge.hasLists || relinked.canBeRelinked(entity: Int(header.entity)) { raised.insert(id) }
        pairings += change.pairings
        for end in change.ends { relinked.note(end.relationship, end.object) }
    }

    private func noteChange(
        _ change: Change, _ id: RowID, _ origin: ParsedRows.Origin, _ header: RowBatch.Header
    ) {
        changes.note(
            change.merge.replaces ? .replace : .update, id, entity: Int(header.entity), change.properties.map(\.name),
            at: origin.place, values: change.values)
        counts.changed += 1
    }

    private func count(_ job: Int, updated changed: Int, unchanged same: Int, replaces: Bool) {
        counts.byJob[job, default: WrittenCounts.OfJob()].updated += changed
        counts.byJob[job, default: WrittenCounts.OfJob()].unchanged += same
        if replaces { counts.replaced += changed }
    }

    private func reference(_ cell: StoredCell) -> Int64? {
        guard case .reference(let key, _) = cell else { return nil }
        return key
    }

    // MARK: Links

    /// Notes that a list of a stored object has changed.
    func noteList(
        _ row: RowID, entity: Int, property: String, at place: RecordLocation, from old: [Link], to new: [Link]
    ) {
        let id = MergeID(row: row, record: RecordID(place))
        var values: [ImportChange.Value] = []
        if changes.hasRoom {
            let text = ChangeText(schema: schema)
            values.append(
                ImportChange.Value(property, old: text.list(old, unlike: new), new: text.list(new, unlike: old)))
        }
        changes.note(
            open[id]?.replaces ?? false ? .replace : .update, row, entity: entity, [property], at: place,
            isNew: !(open[id]?.isChanged ?? false), values: values)
        guard let merge = open[id], !merge.isChanged else { return }
        if objectEntities.contains(entity) { objects.append(entity, row, at: place, sets: nil) }
        open[id]?.isChanged = true
        counts.changed += 1
        if merge.isRecord { count(merge.job, updated: 1, unchanged: -1, replaces: merge.replaces) }
    }

    /// Marks the version of a stored object as raised. Returns false if it was raised before or if the object is new.
    func raise(_ row: RowID) -> Bool { relinked.isStored(row) && raised.insert(row).inserted }

    /// Raises the versions of stored objects whose links changed, unless their record has raised them.
    func raiseRelinkedVersions() throws {
        for (root, keys) in relinked.changed {
            try writer.raiseVersions(root: root, keys: keys.filter { raise(RowID(root: root, key: $0)) })
        }
    }

    /// Notes an object that a lookup created.
    func noteMade(_ row: RowID, entity: Int) {
        if objectEntities.contains(entity) { objects.append(entity, row, at: nil, sets: []) }
        changes.note(.create, row, entity: entity, [], at: nil)
    }

    /// Notes an object that pruning deleted.
    func noteDeleted(_ row: RowID, entity: Int, key: String?) {
        changes.note(.delete, row, entity: entity, [], at: nil, key: key)
    }
}
