import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// The natural keys by which an import finds objects: unique keys, keys of lookups, and the keys that identify the
/// object of a row (its identity).
struct NaturalKeys {
    /// Properties whose values are indexed.
    struct Tracked {
        /// The entity whose objects, including those of subentities, are indexed.
        let owner: Int
        let slots: [Int]
        let names: [String]
        /// Whether the values must be unique.
        let isUnique: Bool
        var index = NaturalKeyIndex()
        /// Whether rows have changed stored objects, so that the index must be rebuilt.
        var isStale = false
    }

    private(set) var tracked: [Tracked] = []
    /// For each entity, the indices in `tracked` that its objects belong to.
    private(set) var byEntity: [[Int]]
    private let schema: Schema
    private let imported: Set<Int>
    /// The entities whose objects later records may create.
    private var awaited: Set<Int>
    /// The indexes whose keys rows can change, because they find their objects by another key.
    private var changeable: Set<Int> = []
    private var scratch: [UInt8] = []
    /// The indexes in which the current record has changed keys.
    private var rekeyed: Set<Int> = []
    /// The entries that the current record has added.
    private var added: [(tracked: Int, entry: Int)] = []

    /// Creates indexes for the uniqueness constraints of the imported entities.
    init(schema: Schema, entities: Set<Int>) {
        self.schema = schema
        imported = entities
        awaited = entities
        byEntity = Array(repeating: [], count: schema.entities.count)
        for entity in entities.sorted() { addConstraints(of: entity) }
    }

    private mutating func addConstraints(of entity: Int) {
        for constraint in schema.entities[entity].uniquenessConstraints {
            let slots = constraint.properties.map { slot(of: $0, owner: constraint.owner) }
            _ = track(owner: constraint.owner, slots: slots, names: constraint.names, isUnique: true)
        }
    }

    /// Returns the index for the properties, and creates it on first use.
    mutating func track(owner: Int, slots: [Int], names: [String], isUnique: Bool) -> Int {
        if let known = tracked.firstIndex(where: { $0.owner == owner && $0.slots == slots && $0.isUnique == isUnique })
        {
            return known
        }
        // A lookup by unique values uses their index.
        if !isUnique, let known = tracked.firstIndex(where: { $0.owner == owner && $0.slots == slots }) { return known }
        tracked.append(Tracked(owner: owner, slots: slots, names: names, isUnique: isUnique))
        for entity in schema.entities[owner].family { byEntity[entity].append(tracked.count - 1) }
        return tracked.count - 1
    }

    /// The slots of the attributes in keys of an entity.
    func keySlots(of entity: Schema.Entity) -> SlotMask {
        var mask = SlotMask(slotCount: entity.slotCount)
        for index in byEntity[entity.index] { for slot in tracked[index].slots { mask.insert(slot) } }
        return mask
    }

    /// Whether a key that is found now means the same object after all records are read.
    func isSettled(_ index: Int?) -> Bool {
        guard let index else { return true }
        if isConstant(index) { return true }
        return tracked[index].isUnique && !changeable.contains(index)
    }

    /// Whether no record of the import adds, changes or removes an entry.
    func isConstant(_ index: Int) -> Bool { imported.isDisjoint(with: schema.entities[tracked[index].owner].family) }

    /// Sets the entities whose objects later records may create.
    mutating func expect(_ entities: Set<Int>) { awaited = entities }

    /// Whether no later record adds, changes or removes an entry.
    func isComplete(_ index: Int) -> Bool {
        isConstant(index)
            || !changeable.contains(index) && !tracked[index].isStale
                && awaited.isDisjoint(with: schema.entities[tracked[index].owner].family)
    }

    /// Notes that rows of an entity change objects that they find by the index `identity`, so that keys in its other
    /// indexes can change.
    mutating func noteUpdates(of entity: Int, identity: Int) {
        changeable.formUnion(byEntity[entity].filter { $0 != identity })
    }

    private func slot(of property: Schema.Slot, owner: Int) -> Int {
        switch property {
        case .attribute(let index): schema.entities[owner].attributes[index].slot
        case .relationship(let index): schema.entities[owner].relationships[index].slot
        }
    }

    // MARK: Stored objects

    /// Adds the stored objects to the indexes, with one read for each index.
    mutating func load(from store: any PersistentStore) throws {
        for place in tracked.indices { try load(place, from: store) }
    }

    /// Whether records can change keys of existing objects in the index. The keys are then final only after all records
    /// are read.
    func isChangeable(_ index: Int) -> Bool { changeable.contains(index) }

    /// Whether records can change unique keys of existing objects.
    var mayChangeUnique: Bool { changeable.contains { tracked[$0].isUnique } }

    /// The indexes that must be rebuilt because records change natural keys of existing objects.
    var stale: [Int] { tracked.indices.filter { tracked[$0].isStale } }

    /// Replaces an index by a rebuilt one.
    mutating func replace(_ index: Int, by fresh: NaturalKeyIndex) { tracked[index].index = fresh }

    private mutating func load(_ place: Int, from store: any PersistentStore) throws {
        let owner = tracked[place].owner
        try store.read(entities: schema.entities[owner].family, batchSize: 1000) { batch in
            for row in batch.rows.indices {
                scratch.removeAll(keepingCapacity: true)
                guard Self.appendKey(of: row, in: batch, slots: tracked[place].slots, to: &scratch) else { continue }
                let header = batch.rows[row]
                let content = tracked[place].isUnique ? 0 : RowDigest.digest(row, of: batch, schema)
                _ = tracked[place].index.insert(scratch, entity: header.entity, object: header.key, content: content)
            }
            return true
        }
    }

    // MARK: Rows

    /// Starts the next record.
    mutating func beginRecord() {
        added.removeAll(keepingCapacity: true)
        if !rekeyed.isEmpty { rekeyed.removeAll(keepingCapacity: true) }
    }

    /// Returns the key of a row in one index and the entry with that key, if any; nil if a value of the key is NULL.
    mutating func find(_ index: Int, row: Int, of batch: borrowing RowBatch) -> (key: [UInt8], entry: Int?)? {
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { return nil }
        return (scratch, tracked[index].index.findIndex(scratch))
    }

    func entry(_ index: Int, _ entry: Int) -> NaturalKeyIndex.Entry { tracked[index].index[entry] }

    /// The record that names each object.
    func recordsByObject() -> [RowID: RecordPlace] {
        var places: [RowID: RecordPlace] = [:]
        for one in tracked where one.isUnique {
            let root = schema.entities[one.owner].root
            for entry in (0..<one.index.count).lazy.map({ one.index[$0] }) {
                if let place = entry.place { places[RowID(root: root, key: entry.key)] = place }
            }
        }
        return places
    }

    mutating func claim(_ index: Int, _ entry: Int, at place: RecordPlace) {
        tracked[index].index.claim(entry, record: place.record, line: place.line, file: place.file)
    }

    /// Adds a new row to each index of its entity.
    ///
    /// - Parameters:
    ///   - isRejected: whether the row is refused already. Its keys stay taken, but make no other key ambiguous.
    ///   - duplicate: called with an index and its entry if another object has the unique key.
    /// - Returns: whether the row is refused, now or before.
    @discardableResult
    mutating func add(
        row: Int, of batch: borrowing RowBatch, at place: RecordPlace, isRejected: Bool,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) -> Bool {
        var isRejected = isRejected
        let indexes = byEntity[Int(batch.rows[row].entity)]
        for index in indexes where tracked[index].isUnique {
            if !add(row: row, of: batch, to: index, at: place, duplicate) { isRejected = true }
        }
        for index in indexes where !tracked[index].isUnique {
            scratch.removeAll(keepingCapacity: true)
            guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { continue }
            if let known = tracked[index].index.findIndex(scratch) {
                if isRejected { continue }
                if tracked[index].index[known].isRejected {
                    tracked[index].index.free(known)
                }
            }
            _ = add(row: row, of: batch, to: index, at: place, duplicate)
        }
        return isRejected
    }

    /// Adds a new row to each index of its entity, unless another object has one of its unique keys.
    ///
    /// - Returns: whether it was added.
    mutating func addUnique(row: Int, of batch: borrowing RowBatch, at place: RecordPlace) -> Bool {
        let indexes = byEntity[Int(batch.rows[row].entity)]
        if indexes.count == 1, tracked[indexes[0]].isUnique {
            return addUnique(row: row, of: batch, to: indexes[0], at: place)
        }
        for index in indexes where tracked[index].isUnique {
            scratch.removeAll(keepingCapacity: true)
            guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { continue }
            if tracked[index].index.isTaken(scratch) { return false }
        }
        added.removeAll(keepingCapacity: true)
        if indexes.allSatisfy({ tracked[$0].isUnique }) {
            for index in indexes { _ = add(row: row, of: batch, to: index, at: place) { _, _ in } }
        } else {
            // In an index of shared keys the row can replace a refused one.
            add(row: row, of: batch, at: place, isRejected: false) { _, _ in }
        }
        return true
    }

    private mutating func addUnique(
        row: Int, of batch: borrowing RowBatch, to index: Int, at place: RecordPlace
    ) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { return true }
        let header = batch.rows[row]
        let entry = tracked[index].index.insertNew(
            scratch, entity: header.entity, object: header.key,
            at: KeyEntries.Place(record: place.record, line: place.line, file: place.file))
        guard let entry else { return false }
        added.removeAll(keepingCapacity: true)
        added.append((index, entry))
        return true
    }

    /// Adds a new row to one index; false if the index is unique and another object has the key.
    private mutating func add(
        row: Int, of batch: borrowing RowBatch, to index: Int, at place: RecordPlace,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) -> Bool {
        let header = batch.rows[row]
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { return true }
        let content = tracked[index].isUnique ? 0 : RowDigest.digest(row, of: batch, schema)
        let (entry, twin) = tracked[index].index.insert(
            scratch, entity: header.entity, object: header.key, content: content, record: place.record,
            line: place.line, file: place.file, marksTwins: !tracked[index].isUnique)
        guard let twin else {
            added.append((index, entry))
            return true
        }
        guard tracked[index].isUnique else { return true }
        duplicate(index, twin)
        // A later record can change the natural key of the other object.
        if changeable.contains(index) { tracked[index].isStale = true }
        return changeable.contains(index)
    }

    /// Notes the keys of a row that sets the slots `filled` of an existing object.
    ///
    /// - Parameter identity: the index by which the object was found.
    mutating func update(
        row: Int, of batch: borrowing RowBatch, filled: SlotMask, identity: Int, at place: RecordPlace,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) {
        let object = batch.rows[row].key
        for index in byEntity[Int(batch.rows[row].entity)] where index != identity {
            let changed = tracked[index].slots.count { filled.contains($0) }
            guard tracked[index].isUnique, changed == tracked[index].slots.count else {
                // The other values of the key are only in the store.
                if changed > 0 || !tracked[index].isUnique { tracked[index].isStale = true }
                continue
            }
            scratch.removeAll(keepingCapacity: true)
            let hasKey = Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch)
            if hasKey, let known = tracked[index].index.findIndex(scratch),
                tracked[index].index[known].key == object
            {
                tracked[index].index.claim(known, record: place.record, line: place.line, file: place.file)
                continue
            }
            tracked[index].index.remove(object: object, at: place)
            rekeyed.insert(index)
            tracked[index].isStale = true
            guard hasKey else { continue }
            let count = added.count
            _ = add(row: row, of: batch, to: index, at: place, duplicate)
            if added.count > count { tracked[index].index.noteChange(added[count].entry) }
        }
    }

    /// Notes that the current record was refused. Its keys stay taken, except those that contain a reference to one of
    /// its own new objects: the next record reuses the primary keys of these objects.
    ///
    /// - Parameter isOwn: whether a primary key of a hierarchy, given by its root entity, is that of a new object of the
    ///   record.
    mutating func rejectRecord(isOwn: (_ root: Int, _ key: Int64) -> Bool) {
        for (index, entry) in added {
            let refersToOwn = references(in: entry, of: index).contains { isOwn($0.root, $0.key) }
            tracked[index].index.reject(entry)
            if refersToOwn { tracked[index].index.free(entry) }
        }
        // Objects keep the keys that the record would change.
        for index in rekeyed { tracked[index].isStale = true }
    }

    /// The references in the key of an entry, with the root entities of their destinations.
    private func references(in entry: Int, of index: Int) -> [(root: Int, key: Int64)] {
        let one = tracked[index]
        let relationships = schema.entities[one.owner].relationships
        guard one.slots.contains(where: { slot in relationships.contains { $0.slot == slot } }) else { return [] }
        return zip(one.slots, NaturalKeyBytes.parts(of: one.index.keyBytes(of: entry))).compactMap { slot, part in
            guard case .reference(let key) = part, let relationship = relationships.first(where: { $0.slot == slot })
            else { return nil }
            return (schema.entities[relationship.destination].root, key)
        }
    }

    /// Appends the key of a row; false if a value is NULL, because such a row has no key.
    static func appendKey(
        of row: Int, in batch: borrowing RowBatch, slots: [Int], to key: inout [UInt8]
    ) -> Bool {
        for slot in slots {
            guard NaturalKeyBytes.append(batch[row, slot], of: batch, to: &key) else { return false }
        }
        return true
    }
}

/// The place of a record or a field: a compact ``SourcePosition``, because each waiting reference has one.
struct RecordPlace: BitwiseCopyable {
    var file: Int32
    var line: Int
    var column = 1
    /// -1 if unknown.
    var byteOffset = -1
    var record: Int

    func position(files: [String]) -> SourcePosition {
        SourcePosition(
            file: files.indices.contains(Int(file)) ? files[Int(file)] : "", line: line, column: column,
            byteOffset: byteOffset < 0 ? nil : byteOffset, record: record)
    }

    func describe(_ files: [String]) -> String {
        "\(files.indices.contains(Int(file)) ? files[Int(file)] : "the store"):\(line)"
    }
}
