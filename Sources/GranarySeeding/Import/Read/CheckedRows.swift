import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore

/// Checked rows on their way from reading to the store: each is encoded once. Only its primary key, and references to
/// objects that come later, are filled in when it is written.
struct CheckedRows {
    /// Where a row comes from.
    struct Origin: BitwiseCopyable {
        /// The record that the row comes from, and the physical line that it begins in.
        let place: RecordPlace
        /// The index of the row in ``CheckedRows/merges``; -1 for a new object.
        var merge: Int32 = -1
        /// Whether it is the record's own row, and not that of an object nested in it.
        let isRecord: Bool
        /// The primary key that the record asks for with `$id`; 0 for none.
        var askedKey: Int64 = 0

        var record: RecordID { RecordID(place) }
    }

    /// A row that changes an object of the store, or one that another record creates.
    struct Merge: BitwiseCopyable {
        /// Whether defaults are among the properties that it sets.
        let replaces: Bool
        /// Whether another record of the run has made or changed the object.
        let isShared: Bool
        /// Whether the record has lists: only when they are written is it known whether it changes the object.
        let hasLists: Bool
        /// Where the words of its slot mask begin in ``CheckedRows/masks``.
        let mask: Int
    }

    var rows = RowBatch()
    /// One for each row.
    var origins: [Origin] = []
    var merges: [Merge] = []
    /// The properties that merges set, as bits by slot.
    var masks: [UInt64] = []
    /// About how many rows of the source are still to come; 0 if unknown.
    var expectedRows = 0
    /// Which job of the run the rows are of.
    var job = 0
    /// Whether the rows wait until all is read, because a later record may refuse them or fill a reference.
    var waits = false

    var isEmpty: Bool { rows.isEmpty }

    mutating func removeAll() {
        rows.removeAll()
        origins.removeAll(keepingCapacity: true)
        merges.removeAll(keepingCapacity: true)
        masks.removeAll(keepingCapacity: true)
    }

    /// Removes the rows of a refused record, which are the last ones.
    mutating func removeRows(from first: Int) {
        while rows.rows.count > first { rows.removeLastRow() }
        while origins.count > first {
            if let last = origins.popLast(), last.merge >= 0, let merge = merges.popLast() {
                masks.removeSubrange(merge.mask...)
            }
        }
    }

    /// Removes the rows of a record and of those behind it, and gives them back.
    mutating func split(at record: RecordID) -> CheckedRows {
        var rest = self
        let first = origins.firstIndex { !($0.record < record) } ?? origins.count
        rest.rows.rows.removeFirst(first)
        rest.origins.removeFirst(first)
        rows.rows.removeSubrange(first...)
        origins.removeSubrange(first...)
        return rest
    }

    /// Keeps only the rows of records that `isKept` accepts.
    mutating func keep(_ isKept: (RecordPlace) -> Bool) {
        guard !origins.allSatisfy({ isKept($0.place) }) else { return }
        let kept = origins.indices.filter { isKept(origins[$0].place) }
        rows.rows = kept.map { rows.rows[$0] }
        origins = kept.map { origins[$0] }
    }

    /// The merge of a row; nil for the row of a new object.
    func merge(of row: Int) -> Merge? { origins[row].merge < 0 ? nil : merges[Int(origins[row].merge)] }

    /// Marks the last row as a change of an existing object.
    mutating func addMerge(replaces: Bool, isShared: Bool, hasLists: Bool, filled: SlotMask) {
        guard !origins.isEmpty else { return }
        origins[origins.count - 1].merge = Int32(truncatingIfNeeded: merges.count)
        merges.append(Merge(replaces: replaces, isShared: isShared, hasLists: hasLists, mask: masks.count))
        masks.append(contentsOf: filled.words)
    }

    /// Whether a merge sets a slot.
    func sets(_ slot: Int, _ merge: Merge) -> Bool {
        let word = merge.mask + slot / 64
        return masks.indices.contains(word) && masks[word] & (1 << UInt64(slot % 64)) != 0
    }

    /// Notes that a merge sets a slot.
    mutating func note(_ slot: Int, _ merge: Merge) {
        let word = merge.mask + slot / 64
        if masks.indices.contains(word) { masks[word] |= 1 << UInt64(slot % 64) }
    }

    /// Whether a row sets a slot; the row of a new object sets all.
    func says(_ slot: Int, row: Int) -> Bool { merge(of: row).map { sets(slot, $0) } ?? true }
}

/// A record of an import.
struct RecordID: Hashable, BitwiseCopyable {
    let file: Int32
    let record: Int

    init(_ place: RecordPlace) {
        file = place.file
        record = place.record
    }

    init(file: Int32, record: Int) {
        self.file = file
        self.record = record
    }
}

extension RecordID: Comparable {
    /// In the order of reading.
    static func < (left: RecordID, right: RecordID) -> Bool {
        left.file == right.file ? left.record < right.record : left.file < right.file
    }
}
