import GranaryModel
import GranaryPersistence

/// Stored rows as they were before records of an import changed them: for records that may still be refused.
///
/// Several records may say something of one row, one after the other. Each can be taken back by itself, slot by slot: what
/// a later one has said stays.
struct BeforeImages {
    /// What one record says of one row.
    private struct Image {
        /// An index into ``BeforeImages/rows``; -1 where there was no room for it.
        let index: Int
        /// The slots that it sets, whether or not that changes them.
        let slots: [Int]
        /// The objects that its to-ones mean, by slot.
        let references: [(slot: Int, target: Int64)]
        let place: RecordPlace
    }

    private var rows = RowBatch()
    private var images: [RowID: [Image]] = [:]
    /// The versions that rows had before any record.
    private var versions: [RowID: Int64] = [:]
    private var partners: [MergeID: [(Schema.Relationship, Int64)]] = [:]

    func has(_ row: RowID) -> Bool { images[row] != nil }

    /// Keeps a stored row as it is before a record sets some of its slots.
    mutating func keep(
        _ row: Int, of stored: borrowing RowBatch, entity: Schema.Entity, slots: [Int],
        references: [(slot: Int, target: Int64)], at place: RecordPlace
    ) {
        let id = RowID(root: entity.root, key: stored.rows[row].key)
        let hasRoom = rows.bytes.count < RowBatch.byteLimit
        let index = hasRoom ? rows.append(row, of: stored, slotCount: entity.slotCount) : -1
        if versions[id] == nil { versions[id] = stored.rows[row].version }
        images[id, default: []].append(Image(index: index, slots: slots, references: references, place: place))
    }

    /// The records that say something of the row, in their order.
    func places(of row: RowID) -> [RecordPlace] { images[row]?.map(\.place) ?? [] }

    /// Every to-one that a record has set: the row, the slot, what it means, and the record.
    func forEachReference(_ body: (RowID, Int, Int64, RecordPlace) -> Void) {
        for (row, images) in images {
            for image in images {
                for reference in image.references { body(row, reference.slot, reference.target, image.place) }
            }
        }
    }

    /// What a row's to-one was before any record set it; nil where none has.
    func firstReference(of row: RowID, slot: Int) -> StoredCell? {
        guard let image = images[row]?.first(where: { $0.slots.contains(slot) && $0.index >= 0 }) else { return nil }
        return rows[image.index, slot]
    }

    /// What rows of a hierarchy had in a to-one before records of this import set it, and those records.
    func originals(root: Int, slot: Int) -> [(row: RowID, target: Int64, records: [RecordID])] {
        var found: [(row: RowID, target: Int64, records: [RecordID])] = []
        for (row, list) in images where row.root == root {
            guard case .reference(_, let target)? = firstReference(of: row, slot: slot) else { continue }
            let records = list.filter { $0.slots.contains(slot) }.map { RecordID($0.place) }
            found.append((row, target, records))
        }
        return found
    }

    mutating func forget(_ merge: MergeID) {
        images[merge.row]?.removeAll { RecordID($0.place) == merge.record }
        if images[merge.row]?.isEmpty ?? false { images[merge.row] = nil }
    }

    /// Takes what a record has said out of a row.
    ///
    /// - Parameter current: the row as it is now, as a batch of its own.
    /// - Parameter inherited: takes the later records that have set a slot too: theirs is the change now.
    /// - Returns: the row without the record; nil where it is not known how it was.
    mutating func take(
        _ merge: MergeID, from current: borrowing RowBatch, slotCount: Int, inherited: inout [(RecordPlace, Int)]
    ) -> RowBatch? {
        guard var list = images[merge.row], !current.isEmpty,
            let place = list.firstIndex(where: { RecordID($0.place) == merge.record }), list[place].index >= 0
        else { return nil }
        let image = list.remove(at: place)
        var restored = RowBatch()
        restored.append(0, of: current, slotCount: slotCount)
        for slot in image.slots {
            if let later = list[place...].first(where: { $0.slots.contains(slot) && $0.index >= 0 }) {
                // The bytes stay where they are: both rows point to them.
                rows[later.index, slot] = rows[image.index, slot]
                if !rows.hasValue(row: image.index, slot: slot, of: current, row: 0) {
                    inherited.append((later.place, slot))
                }
            } else {
                restored.set(row: 0, slot: slot, to: image.index, of: rows)
            }
        }
        images[merge.row] = list.isEmpty ? nil : list
        if list.isEmpty, let version = versions.removeValue(forKey: merge.row) { restored.rows[0].version = version }
        return restored
    }

    // MARK: One-to-ones

    /// Notes that a partner of a one-to-one has lost the object.
    mutating func keep(_ relationship: Schema.Relationship, partner: Int64, of merge: MergeID) {
        partners[merge, default: []].append((relationship, partner))
    }

    mutating func takePartners(of merge: MergeID) -> [(Schema.Relationship, Int64)] {
        partners.removeValue(forKey: merge) ?? []
    }
}

/// What one record says of one object.
struct MergeID: Hashable {
    let row: RowID
    let record: RecordID
}
