import GranaryCoordination
import GranaryModel

/// Checked rows between reading and writing. Only primary keys, and references to objects of later records, are filled
/// in when the rows are written.
struct ParsedRows {
    /// The origin of a row.
    struct Origin: BitwiseCopyable {
        /// The row's record and its first physical line.
        let place: RecordLocation
        /// The index of the row in ``ParsedRows/merges``; -1 for a new object.
        var merge: Int32 = -1
        /// Whether the row is the record itself, not an object nested in it.
        let isRecord: Bool
        /// The primary key that the record requests with `$id`; 0 for none.
        var askedKey: Int64 = 0
        /// The start of a new object's slot mask in ``ParsedRows/masks``; -1 for none.
        var mask: Int32 = -1
        /// The range of the row's links in ``ParsedRows/links``.
        var firstLink: Int32 = 0
        var linkCount: Int32 = 0
        /// Whether a lookup creates the object. The place is that of the first reference to it.
        var isMade = false

        var record: RecordID { RecordID(place) }
    }

    /// A row that changes an object of the store or of another record.
    struct Merge: BitwiseCopyable {
        /// Whether the row also sets default values.
        let replaces: Bool
        /// Whether another record of the run creates or changes the object.
        let isShared: Bool
        /// Whether the record has lists. Whether it changes the object is then known only after they are written.
        let hasLists: Bool
        /// Whether the members of all lists that the row sets are in ``ParsedRows/links``.
        var knowsLists = false
        /// For a nested object that must equal the stored object with its key: the slot of the key's first property;
        /// otherwise -1.
        var equalKey: Int32 = -1
        /// Whether the same command with `--on-conflict update` changes the object.
        var canUpdate = false
        /// Whether the row adds members to a nested object of an earlier row, which is written first.
        var supplements = false
        /// The start of the row's slot mask in ``ParsedRows/masks``.
        let mask: Int
    }

    /// A member of a list in a many-to-many relationship.
    struct ListedLink: Hashable, BitwiseCopyable {
        /// The entity that declares the relationship, and its slot.
        let owner: Int32
        let slot: Int32
        /// The member's concrete entity, as an index, and its primary key.
        let entity: Int32
        let destination: Int64

        init(_ relationship: Schema.Relationship, entity: Int32, destination: Int64) {
            owner = Int32(truncatingIfNeeded: relationship.owner)
            slot = Int32(truncatingIfNeeded: relationship.slot)
            self.entity = entity
            self.destination = destination
        }
    }

    var rows = RowBatch()
    /// The origin of each row.
    var origins: [Origin] = []
    var merges: [Merge] = []
    /// The slot masks of merges, and of new objects that are saved as managed objects.
    var masks: [UInt64] = []
    /// The links that were resolved while reading: those of new objects, and of lists of stored objects.
    private(set) var links: [ListedLink] = []
    /// The links of the last row, if it has many.
    private var lastLinks: Set<ListedLink> = []
    /// The approximate number of rows that follow from the source; 0 if unknown.
    var expectedRows = 0
    /// The number of the rows' job.
    var job = 0
    /// Whether the rows must wait until all records are read, because a later record can cause their rejection or
    /// resolve a reference.
    var waits = false

    var isEmpty: Bool { rows.isEmpty }

    mutating func removeAll() {
        rows.removeAll()
        origins.removeAll(keepingCapacity: true)
        merges.removeAll(keepingCapacity: true)
        masks.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        if !lastLinks.isEmpty { lastLinks = [] }
    }

    /// Removes the last rows, from index `first` on.
    mutating func removeRows(from first: Int) {
        while rows.rows.count > first { rows.removeLastRow() }
        while origins.count > first {
            guard let last = origins.popLast() else { break }
            if last.linkCount > 0 { links.removeSubrange(min(Int(last.firstLink), links.count)...) }
            if last.mask >= 0 { masks.removeSubrange(Int(last.mask)...) }
            if last.merge >= 0, let merge = merges.popLast() {
                masks.removeSubrange(min(merge.mask, masks.count)...)
            }
        }
    }

    /// Adds a link to the last row that has links, or to a later one; false if the row has it already.
    mutating func add(_ link: ListedLink, to row: Int) -> Bool {
        if origins[row].linkCount == 0 { origins[row].firstLink = Int32(truncatingIfNeeded: links.count) }
        let first = Int(origins[row].firstLink)
        if links.count - first < Self.fewLinks {
            if links[first...].contains(link) { return false }
        } else {
            if links.count - first == Self.fewLinks { lastLinks = Set(links[first...]) }
            guard lastLinks.insert(link).inserted else { return false }
        }
        links.append(link)
        origins[row].linkCount += 1
        return true
    }

    /// Up to this number, the links of a row are searched one by one.
    private static let fewLinks = 32

    /// The links of a row.
    func links(of row: Int) -> ArraySlice<ListedLink> {
        let first = Int(origins[row].firstLink)
        return links[first..<first + Int(origins[row].linkCount)]
    }

    /// Adds links that belong to no row yet, and returns the index of the first.
    mutating func append(_ more: [ListedLink]) -> Int32 {
        links.append(contentsOf: more)
        return Int32(truncatingIfNeeded: links.count - more.count)
    }

    /// Sets the links read from a file.
    mutating func setLinks(_ all: [ListedLink]) { links = all }

    /// Removes and returns the rows of a record and of the later records.
    mutating func split(at record: RecordID) -> ParsedRows {
        var rest = self
        let first = origins.firstIndex { !($0.record < record) } ?? origins.count
        rest.rows.rows.removeFirst(first)
        rest.origins.removeFirst(first)
        rows.rows.removeSubrange(first...)
        origins.removeSubrange(first...)
        return rest
    }

    /// Keeps only some rows.
    mutating func keep(_ isKept: (Origin) -> Bool) {
        guard !origins.allSatisfy(isKept) else { return }
        let kept = origins.indices.filter { isKept(origins[$0]) }
        rows.rows = kept.map { rows.rows[$0] }
        origins = kept.map { origins[$0] }
    }

    /// A batch of only some rows.
    func only(_ isIncluded: (Origin) -> Bool) -> ParsedRows {
        var batch = self
        batch.keep(isIncluded)
        return batch
    }

    /// The merge of a row; nil for the row of a new object.
    func merge(of row: Int) -> Merge? { origins[row].merge < 0 ? nil : merges[Int(origins[row].merge)] }

    /// Marks the last row as a change of an existing object.
    mutating func addMerge(
        replaces: Bool, isShared: Bool, hasLists: Bool, equalKey: Int32 = -1, canUpdate: Bool = false,
        supplements: Bool = false, filled: SlotMask
    ) {
        guard !origins.isEmpty else { return }
        origins[origins.count - 1].merge = append(
            Merge(
                replaces: replaces, isShared: isShared, hasLists: hasLists, equalKey: equalKey, canUpdate: canUpdate,
                supplements: supplements, mask: masks.count),
            filled)
    }

    /// Adds a merge that belongs to no row yet, and returns its index.
    mutating func append(_ merge: Merge, _ filled: SlotMask) -> Int32 {
        merges.append(merge)
        masks.append(contentsOf: filled.words)
        return Int32(truncatingIfNeeded: merges.count - 1)
    }

    /// Notes that a merge sets a relationship, whose objects are known.
    mutating func noteKnown(_ relationship: Schema.Relationship, row: Int) {
        guard let merge = merge(of: row) else { return }
        masks.setBit(relationship.slot, from: merge.mask)
        if relationship.isToMany { merges[Int(origins[row].merge)].knowsLists = true }
    }

    /// Notes which slots the last row, a new object, sets.
    mutating func addMask(_ filled: SlotMask) {
        guard !origins.isEmpty else { return }
        origins[origins.count - 1].mask = Int32(truncatingIfNeeded: masks.count)
        masks.append(contentsOf: filled.words)
    }

    /// The words of the slot mask of a new object.
    func mask(of row: Int, slotCount: Int) -> [UInt64] {
        let start = Int(origins[row].mask)
        guard start >= 0 else { return [] }
        return Array(masks[start..<min(start + (slotCount + 63) / 64, masks.count)])
    }

    /// Whether a merge sets a slot.
    func sets(_ slot: Int, _ merge: Merge) -> Bool { masks.hasBit(slot, from: merge.mask) }

    /// Notes that a merge sets a slot.
    mutating func note(_ slot: Int, _ merge: Merge) { masks.setBit(slot, from: merge.mask) }

    /// Whether a row sets a slot. The row of a new object sets all slots.
    func sets(_ slot: Int, row: Int) -> Bool { merge(of: row).map { sets(slot, $0) } ?? true }
}

/// Sets of bits: slots or record numbers.
extension Array<UInt64> {
    /// Whether a bit is set in the words from index `start` on. A bit beyond the last word is not.
    func hasBit(_ bit: Int, from start: Int = 0) -> Bool {
        let word = start + bit / 64
        return bit >= 0 && word < count && self[word] & (1 << UInt64(bit % 64)) != 0
    }

    /// Sets a bit in the words from index `start` on. A bit beyond the last word is ignored.
    mutating func setBit(_ bit: Int, from start: Int = 0) {
        let word = start + bit / 64
        if bit >= 0, word < count { self[word] |= 1 << UInt64(bit % 64) }
    }
}
