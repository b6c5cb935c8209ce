import GranaryBase
import GranaryModel
import GranaryPersistence

/// The writing half of an import: puts checked rows into the store, and finds out what rows of stored objects change.
///
/// A row that the store refuses is left out and noted; the rows around it are written.
final class RowWriter {
    let schema: Schema
    let store: any PersistentStore
    let writer: any StoreWriter
    /// Whether rows may be refused late and the others kept: then what they change can be put back.
    private let keepsGood: Bool
    /// Whether rows are written; from the first error of an all-or-nothing import on they are not.
    var isWriting = true
    /// Rows that the store has refused.
    private(set) var refused: [(row: RowID, entity: Int, place: RecordPlace?, error: GranaryError)] = []
    /// By job: records whose objects were there already and now differ, or do not.
    private(set) var updated: [Int: Int] = [:]
    private(set) var unchanged: [Int: Int] = [:]
    private(set) var replaced = 0
    private(set) var changes: ChangeLog
    /// Rows of stored objects whose last word is not spoken: they wait for references, or may be put back.
    private var open: [MergeID: OpenMerge] = [:]
    /// Objects whose version was raised, and may have to be once more.
    private(set) var raised: Set<RowID> = []
    /// How many records, and objects nested in them, have changed a stored object.
    private(set) var changedCount = 0
    /// For objects that several records speak of: those that have set a to-one.
    private var said: [RowSlot: [RecordPlace]] = [:]
    /// The other ends of one-to-ones that have lost their object, and the records that took it.
    var orphans: [(relationship: Schema.Relationship, object: Int64, place: RecordPlace?)] = []
    /// Stored rows as they were before rows that refer to others changed them.
    private(set) var before = BeforeImages()
    var otherEnds: OtherEnds

    init(
        schema: Schema, store: any PersistentStore, writer: any StoreWriter, keepsGood: Bool,
        changes: ChangeLog, lastKeys: [Int: Int64]
    ) {
        self.schema = schema
        self.store = store
        self.writer = writer
        self.keepsGood = keepsGood
        self.changes = changes
        otherEnds = OtherEnds(schema: schema, lastKeys: lastKeys)
    }

    private struct OpenMerge {
        let job: Int
        let replaces: Bool
        /// Nested objects are not counted.
        let isRecord: Bool
        var isChanged: Bool
    }

    /// How many rows of one entity's hierarchy are looked up at a time.
    static let lookupRows = 500

    func write(_ batch: ImportBatch) throws {
        guard isWriting else { return }
        guard !batch.merges.isEmpty else { return try insert(batch.rows) }
        // Changes first: what they free may be taken by a new row.
        try merge(batch)
        var inserts = batch.rows
        let merged = Set(batch.merges.map(\.row))
        inserts.rows = batch.rows.rows.indices.lazy.filter { !merged.contains($0) }.map { batch.rows.rows[$0] }
        try insert(inserts)
    }

    /// Inserts rows; those that the store refuses are noted.
    func insert(_ rows: borrowing RowBatch) throws {
        var lost: Set<RowID> = []
        try write(rows, { try writer.insert($0) }) { header, error in
            refused.append((rowID(header), Int(header.entity), nil, error))
            lost.insert(rowID(header))
        }
        for row in rows.rows.indices {
            if lost.isEmpty || !lost.contains(rowID(rows.rows[row])) { otherEnds.note(row, of: rows) }
        }
    }

    private func rowID(_ header: RowBatch.Header) -> RowID {
        RowID(root: schema.entities[Int(header.entity)].root, key: header.key)
    }

    /// Writes all rows but those that are refused.
    private func write(
        _ rows: borrowing RowBatch, _ body: (borrowing RowBatch) throws -> Void,
        refused: (RowBatch.Header, GranaryError) -> Void
    ) throws {
        var rest = copy rows
        while !rest.isEmpty {
            let start = writer.writtenRows
            do { return try body(rest) } catch let error as GranaryError {
                let place = writer.writtenRows - start
                // What is wrong with the disk or the file is wrong with no row.
                guard error.code == .refused, rest.rows.indices.contains(place) else { throw error }
                refused(rest.rows[place], error)
                rest.rows.removeFirst(place + 1)
            }
        }
    }

    // MARK: Objects that are there already

    private func merge(_ batch: ImportBatch) throws {
        var byRoot: [Int: [Int]] = [:]
        for (index, merge) in batch.merges.enumerated() {
            byRoot[schema.entities[Int(batch.rows.rows[merge.row].entity)].root, default: []].append(index)
        }
        for root in byRoot.keys.sorted() {
            var rest = (byRoot[root] ?? [])[...]
            while !rest.isEmpty {
                try merge(Array(rest.prefix(Self.lookupRows)), root: root, of: batch)
                rest = rest.dropFirst(Self.lookupRows)
            }
        }
    }

    private func merge(_ merges: [Int], root: Int, of batch: ImportBatch) throws {
        let keys = merges.map { batch.rows.rows[batch.merges[$0].row].key }
        let stored = try store.read(root: root, keys: keys)
        let places = Dictionary(
            stored.rows.indices.map { (stored.rows[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
        var updates = RowBatch()
        var origins: [Int64: Int] = [:]
        var moved: [(relationship: Schema.Relationship, owner: Int64, from: Int64?, place: RecordPlace?)] = []
        var linked: [(relationship: Schema.Relationship, owner: Int64, end: Int64)] = []
        for (index, key) in zip(merges, keys) {
            let merge = batch.merges[index]
            guard let place = places[key] else {
                let error = GranaryError(
                    Diagnostic(.objectGone, "the object that an earlier record has made was refused by the store"))
                refused.append(
                    (RowID(root: root, key: key), Int(batch.rows.rows[merge.row].entity), merge.place, error))
                continue
            }
            let entity = schema.entities[Int(stored.rows[place].entity)]
            let changed = changedProperties(merge, of: batch.rows, entity, stored, place)
            let id = RowID(root: root, key: key)
            let mayGo =
                keepsGood
                && (merge.waits || !merge.isRecord || merge.isShared || before.has(id)
                    || refers(merge, of: batch.rows, entity))
            if mayGo {
                let (slots, references) = said(merge, of: batch.rows, entity)
                before.keep(
                    place, of: stored, entity: entity, slots: slots, references: references, at: merge.place)
            }
            if merge.isShared { noteLater(merge, id, entity) }
            if merge.waits || mayGo {
                open[MergeID(row: id, record: RecordID(merge.place))] = OpenMerge(
                    job: batch.job, replaces: merge.replaces, isRecord: merge.isRecord, isChanged: !changed.isEmpty)
            }
            guard !changed.isEmpty else {
                if merge.isRecord { unchanged[batch.job, default: 0] += 1 }
                continue
            }
            let row = updates.append(place, of: stored, slotCount: entity.slotCount)
            if otherEnds.isStored(id) { updates.rows[row].version += 1 }
            for property in changed {
                if let relationship = property.relationship {
                    let old = reference(stored[place, relationship.slot])
                    for end in [old, reference(batch.rows[merge.row, relationship.slot])].compactMap({ $0 }) {
                        linked.append((relationship, key, end))
                    }
                    if isOneToOne(relationship) { moved.append((relationship, key, old, merge.place)) }
                }
                updates.set(row: row, slot: property.slot, to: merge.row, of: batch.rows)
            }
            origins[key] = index
            var values: [ImportChange.Value] = []
            if changes.hasRoom {
                let text = ChangeText(schema: schema)
                for property in changed {
                    values.append(
                        ImportChange.Value(
                            property.name, old: text.value(property.slot, row: place, of: stored),
                            new: text.value(property.slot, row: merge.row, of: batch.rows)))
                }
            }
            note(merge, batch.job, entity, key, changed.map(\.name), values)
        }
        let lost = try update(updates, merges: origins, of: batch)
        for link in linked where !lost.contains(link.owner) { otherEnds.note(link.relationship, link.end) }
        // The object that was at the other end of a one-to-one has nobody there now.
        for move in moved where !lost.contains(move.owner) {
            guard let from = move.from, let inverse = inverse(of: move.relationship) else { continue }
            if keepsGood, let place = move.place {
                let merge = MergeID(row: RowID(root: root, key: move.owner), record: RecordID(place))
                before.keep(inverse, partner: from, of: merge)
            }
            orphans.append((inverse, from, move.place))
            try writer.setReference(inverse, owner: from, entity: move.relationship.owner, destination: nil)
        }
    }

    /// - Returns: the keys of rows that the store has refused.
    private func update(
        _ updates: RowBatch, merges origins: [Int64: Int], of batch: ImportBatch
    ) throws -> Set<Int64> {
        var lost: Set<Int64> = []
        try write(updates, { try writer.update($0) }) { header, error in
            lost.insert(header.key)
            guard let merge = origins[header.key].map({ batch.merges[$0] }) else { return }
            refused.append((rowID(header), Int(header.entity), merge.place, error))
            let id = MergeID(row: rowID(header), record: RecordID(merge.place))
            before.forget(id)
            changes.forget(id)
            changedCount -= 1
            open[id] = nil
            raised.remove(rowID(header))
            if merge.isRecord { count(batch.job, updated: -1, unchanged: 0, replaces: merge.replaces) }
        }
        return lost
    }

    private func note(
        _ merge: ImportBatch.Merge, _ job: Int, _ entity: Schema.Entity, _ key: Int64, _ properties: [String],
        _ values: [ImportChange.Value]
    ) {
        let id = RowID(root: entity.root, key: key)
        changes.note(
            merge.replaces ? .replace : .update, id, entity: entity.index, properties, at: merge.place, values: values)
        changedCount += 1
        if merge.isRecord { count(job, updated: 1, unchanged: 0, replaces: merge.replaces) }
        if merge.waits || otherEnds.mayHold(entity: entity.index) { raised.insert(id) }
    }

    private func count(_ job: Int, updated changed: Int, unchanged same: Int, replaces: Bool) {
        updated[job, default: 0] += changed
        unchanged[job, default: 0] += same
        if replaces { replaced += changed }
    }

    private struct Property {
        let name: String
        let slot: Int
        var relationship: Schema.Relationship?
    }

    private func changedProperties(
        _ merge: ImportBatch.Merge, of rows: borrowing RowBatch, _ entity: Schema.Entity, _ stored: borrowing RowBatch,
        _ place: Int
    ) -> [Property] {
        var changed: [Property] = []
        for attribute in entity.attributes where merge.filled.contains(attribute.slot) {
            if !rows.hasValue(row: merge.row, slot: attribute.slot, of: stored, row: place) {
                changed.append(Property(name: attribute.name, slot: attribute.slot))
            }
        }
        for relationship in entity.relationships
        where !relationship.isToMany && merge.filled.contains(relationship.slot) {
            if !rows.hasValue(row: merge.row, slot: relationship.slot, of: stored, row: place) {
                changed.append(
                    Property(name: relationship.name, slot: relationship.slot, relationship: relationship))
            }
        }
        return changed
    }

    /// The slots that a record sets, and what its to-ones mean.
    private func said(
        _ merge: ImportBatch.Merge, of rows: borrowing RowBatch, _ entity: Schema.Entity
    ) -> (slots: [Int], references: [(slot: Int, target: Int64)]) {
        var references: [(slot: Int, target: Int64)] = []
        for relationship in entity.relationships where merge.filled.contains(relationship.slot) {
            if case .reference(_, let key) = rows[merge.row, relationship.slot] {
                references.append((relationship.slot, key))
            }
        }
        return ((0..<entity.slotCount).filter { merge.filled.contains($0) }, references)
    }

    private func noteLater(_ merge: ImportBatch.Merge, _ row: RowID, _ entity: Schema.Entity) {
        for relationship in entity.relationships where merge.filled.contains(relationship.slot) {
            said[RowSlot(row: row, slot: relationship.slot), default: []].append(merge.place)
        }
    }

    /// Whether a record behind the one at `place` says what a row's to-one is, and stays.
    func saysLater(_ row: RowID, slot: Int, than place: RecordPlace, _ rejects: LateRejects) -> Bool {
        said[RowSlot(row: row, slot: slot)]?.contains {
            ($0.file, $0.record) > (place.file, place.record) && !rejects.records.contains(RecordID($0))
        } ?? false
    }

    private struct RowSlot: Hashable {
        let row: RowID
        let slot: Int
    }

    private func refers(
        _ merge: ImportBatch.Merge, of rows: borrowing RowBatch, _ entity: Schema.Entity
    ) -> Bool {
        for relationship in entity.relationships where merge.filled.contains(relationship.slot) {
            if case .reference = rows[merge.row, relationship.slot] { return true }
        }
        return false
    }

    private func reference(_ cell: StoredCell) -> Int64? {
        guard case .reference(_, let key) = cell else { return nil }
        return key
    }

    private func isOneToOne(_ relationship: Schema.Relationship) -> Bool {
        inverse(of: relationship).map { !$0.isToMany } ?? false
    }

    func inverse(of relationship: Schema.Relationship) -> Schema.Relationship? {
        relationship.inverse.map { schema.entities[$0.owner].relationships[$0.relationship] }
    }

    // MARK: What is found out at the end

    /// A reference or a list of a stored object turned out to differ.
    func noteLate(
        _ row: RowID, entity: Int, property: String, at place: RecordPlace, values: [ImportChange.Value] = []
    ) {
        let id = MergeID(row: row, record: RecordID(place))
        changes.note(
            open[id]?.replaces ?? false ? .replace : .update, row, entity: entity, [property], at: place,
            isNew: !(open[id]?.isChanged ?? false), values: values)
        guard let merge = open[id], !merge.isChanged else { return }
        open[id]?.isChanged = true
        changedCount += 1
        if merge.isRecord { count(merge.job, updated: 1, unchanged: -1, replaces: merge.replaces) }
    }

    /// Whether the object's version has still to be raised; it is from now on. That of a new object stays 1.
    func raise(_ row: RowID) -> Bool { otherEnds.isStored(row) && raised.insert(row).inserted }

    /// Raises the versions of objects that others are linked to, or not any more, where their own record has not.
    func raiseOtherEnds() throws {
        for (root, keys) in otherEnds.changed {
            try writer.raiseVersions(root: root, keys: keys.filter { raise(RowID(root: root, key: $0)) })
        }
    }

    /// Puts back what a record has changed of a row that others have made: the record is refused.
    ///
    /// - Parameter isGone: whether the row itself goes, so that there is nothing to put back but the counts.
    /// - Returns: false where it is not known how the row was.
    func putBack(_ merge: MergeID, isGone: Bool) throws -> Bool {
        guard let known = open.removeValue(forKey: merge) else { return false }
        if known.isChanged {
            changes.forget(merge)
            changedCount -= 1
        }
        if isGone {
            before.forget(merge)
        } else if try !restore(merge) {
            return false
        }
        if known.isRecord {
            count(
                known.job, updated: known.isChanged ? -1 : 0, unchanged: known.isChanged ? 0 : -1,
                replaces: known.replaces)
        }
        return true
    }

    private func restore(_ merge: MergeID) throws -> Bool {
        let current = try store.read(root: merge.row.root, keys: [merge.row.key])
        guard let header = current.rows.first else { return false }
        let entity = schema.entities[Int(header.entity)]
        var inherited: [(RecordPlace, Int)] = []
        guard
            let image = before.take(
                merge, from: current, slotCount: entity.slotCount, inherited: &inherited)
        else { return false }
        for (place, slot) in inherited {
            let name =
                entity.attributes.first { $0.slot == slot }?.name
                ?? entity.relationships.first { $0.slot == slot }?.name
            if let name { noteLate(merge.row, entity: entity.index, property: name, at: place) }
        }
        if !before.has(merge.row) { raised.remove(merge.row) }
        // What did not change it leaves nothing to put back.
        if Self.differs(image, current, slotCount: entity.slotCount) { try writer.update(image) }
        for relationship in entity.relationships where !relationship.isToMany {
            let (old, new) = (reference(image[0, relationship.slot]), reference(current[0, relationship.slot]))
            guard old != new else { continue }
            for end in [old, new].compactMap({ $0 }) { otherEnds.note(relationship, end, -1) }
        }
        for (relationship, partner) in before.takePartners(of: merge) {
            try writer.setReference(relationship, owner: partner, entity: entity.index, destination: merge.row.key)
        }
        return true
    }

    private static func differs(_ left: borrowing RowBatch, _ right: borrowing RowBatch, slotCount: Int) -> Bool {
        if left.rows[0].version != right.rows[0].version { return true }
        for slot in 0..<slotCount where !left.hasValue(row: 0, slot: slot, of: right, row: 0) { return true }
        return false
    }

    /// Takes note of objects that are neither records nor changed by them.
    func noteMade(_ row: RowID, entity: Int) { changes.note(.create, row, entity: entity, [], at: nil) }

    func noteDeleted(_ row: RowID, entity: Int, key: String?) {
        changes.note(.delete, row, entity: entity, [], at: nil, key: key)
    }
}
