import GranaryModel
import GranaryPersistence

/// Stored rows as they were before records of an import changed them: for records that may still be refused.
///
/// Several records may change one row, one after the other. Each can be taken back by itself: the slots that a later one
/// has set keep the later value.
struct BeforeImages {
    /// What one record has changed of one row.
    private struct Image {
        /// An index into ``BeforeImages/rows``; -1 where there was no room for it.
        let index: Int
        let slots: [Int]
        let place: RecordPlace
    }

    private var rows = RowBatch()
    private var images: [RowID: [Image]] = [:]
    private var partners: [MergeID: [(Schema.Relationship, Int64)]] = [:]

    func has(_ row: RowID) -> Bool { images[row] != nil }

    /// Keeps a stored row as it is before a record changes some of its slots.
    mutating func keep(
        _ row: Int, of stored: borrowing RowBatch, entity: Schema.Entity, slots: [Int], at place: RecordPlace
    ) {
        let id = RowID(root: entity.root, key: stored.rows[row].key)
        let hasRoom = rows.bytes.count < RowBatch.byteLimit
        let index = hasRoom ? rows.append(row, of: stored, slotCount: entity.slotCount) : -1
        images[id, default: []].append(Image(index: index, slots: slots, place: place))
    }

    /// The records that have changed the row, in their order.
    func places(of row: RowID) -> [RecordPlace] { images[row]?.map(\.place) ?? [] }

    /// The record that has set a slot last.
    func place(of row: RowID, slot: Int) -> RecordPlace? {
        images[row]?.last { $0.slots.contains(slot) }?.place
    }

    mutating func forget(_ merge: MergeID) {
        images[merge.row]?.removeAll { RecordID($0.place) == merge.record }
        if images[merge.row]?.isEmpty ?? false { images[merge.row] = nil }
    }

    /// Takes what a record has changed out of a row.
    ///
    /// - Parameter current: the row as it is now, as a batch of its own.
    /// - Returns: the row without the record; nil where it is not known how it was.
    mutating func take(_ merge: MergeID, from current: borrowing RowBatch, slotCount: Int) -> RowBatch? {
        guard var list = images[merge.row], !current.isEmpty,
            let place = list.firstIndex(where: { RecordID($0.place) == merge.record }), list[place].index >= 0
        else { return nil }
        let image = list.remove(at: place)
        var restored = RowBatch()
        if list.isEmpty {
            images[merge.row] = nil
            restored.append(image.index, of: rows, slotCount: slotCount)
            return restored
        }
        restored.append(0, of: current, slotCount: slotCount)
        for slot in image.slots {
            if let later = list[place...].first(where: { $0.slots.contains(slot) && $0.index >= 0 }) {
                rows.copy(image.index, slot: slot, to: later.index)
            } else {
                restored.set(row: 0, slot: slot, to: image.index, of: rows)
            }
        }
        images[merge.row] = list
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

extension RowBatch {
    /// Copies a cell from one row to another.
    fileprivate mutating func copy(_ row: Int, slot: Int, to other: Int) {
        // The bytes stay where they are: both rows point to them.
        self[other, slot] = self[row, slot]
    }
}
