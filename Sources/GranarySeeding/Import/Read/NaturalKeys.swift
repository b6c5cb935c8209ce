import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// The natural keys by which an import finds objects: those that must be unique, those that look-ups ask for, and those
/// that make a row the same object as another (its identity).
struct NaturalKeys {
    /// One set of properties whose values are kept in an index.
    struct Tracked {
        /// The entity whose objects, subentities' included, are indexed.
        let owner: Int
        let slots: [Int]
        let names: [String]
        /// Whether two objects may not share the values.
        let isUnique: Bool
        var index = NaturalKeyIndex()
        /// Whether rows have changed objects so that the index does not say any more what the store has.
        var isStale = false
    }

    private(set) var tracked: [Tracked] = []
    /// For each entity the indexes into `tracked` that its objects belong to.
    private(set) var byEntity: [[Int]]
    private let schema: Schema
    private let imported: Set<Int>
    /// The entities whose objects later records may create.
    private var awaited: Set<Int>
    /// The indexes whose keys rows may change, of objects that they find by another key.
    private var changeable: Set<Int> = []
    private var scratch: [UInt8] = []
    /// The indexes in which the current record has given objects new keys.
    private var rekeyed: Set<Int> = []
    /// The entries that the current record has added.
    private var added: [(tracked: Int, entry: Int)] = []

    /// Starts with the uniqueness constraints of the entities that are imported.
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

    /// The index for those properties, made where there is none yet.
    mutating func track(owner: Int, slots: [Int], names: [String], isUnique: Bool) -> Int {
        if let known = tracked.firstIndex(where: { $0.owner == owner && $0.slots == slots && $0.isUnique == isUnique })
        {
            return known
        }
        // A look-up by what is unique anyway needs no index of its own.
        if !isUnique, let known = tracked.firstIndex(where: { $0.owner == owner && $0.slots == slots }) { return known }
        tracked.append(Tracked(owner: owner, slots: slots, names: names, isUnique: isUnique))
        for entity in schema.entities[owner].family { byEntity[entity].append(tracked.count - 1) }
        return tracked.count - 1
    }

    /// Whether a key that is found now means the same object at the end: later rows cannot bring another one, nor take
    /// this one away.
    func isSettled(_ index: Int?) -> Bool {
        guard let index else { return true }
        if isConstant(index) { return true }
        return tracked[index].isUnique && !changeable.contains(index)
    }

    /// Whether no record of the import adds, changes or takes away an entry.
    func isConstant(_ index: Int) -> Bool { imported.isDisjoint(with: schema.entities[tracked[index].owner].family) }

    /// Sets the entities whose objects later records may create.
    mutating func expect(_ entities: Set<Int>) { awaited = entities }

    /// Whether no later record adds, changes or removes an entry.
    func isComplete(_ index: Int) -> Bool {
        isConstant(index)
            || !changeable.contains(index) && !tracked[index].isStale
                && awaited.isDisjoint(with: schema.entities[tracked[index].owner].family)
    }

    /// Notes that rows of an entity change objects that they find by one index: those of all its others may get new keys.
    mutating func noteUpdates(of entity: Int, identity: Int) {
        changeable.formUnion(byEntity[entity].filter { $0 != identity })
    }

    private func slot(of property: Schema.Slot, owner: Int) -> Int {
        switch property {
        case .attribute(let index): schema.entities[owner].attributes[index].slot
        case .relationship(let index): schema.entities[owner].relationships[index].slot
        }
    }

    // MARK: The store's objects

    /// Puts the objects that the store has into the indexes: one read of each entity that has one.
    mutating func load(from store: any PersistentStore) throws {
        for place in tracked.indices { try load(place, from: store) }
    }

    /// Whether records may give objects that are there another natural key in the index: then only the end of reading
    /// tells who has which.
    func isChangeable(_ index: Int) -> Bool { changeable.contains(index) }

    /// Whether unique keys of objects that are there may change.
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

    /// The object that has the values of a row in one index, and its place there; nil for none, or where one value is NULL.
    mutating func find(_ index: Int, row: Int, of batch: borrowing RowBatch) -> (key: [UInt8], entry: Int?)? {
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { return nil }
        return (scratch, tracked[index].index.findIndex(scratch))
    }

    func entry(_ index: Int, _ entry: Int) -> NaturalKeyIndex.Entry { tracked[index].index[entry] }

    /// The records that speak of stored objects and of new ones.
    func claimedPlaces() -> [RowID: RecordPlace] {
        var places: [RowID: RecordPlace] = [:]
        for one in tracked where one.isUnique {
            let root = schema.entities[one.owner].root
            for entry in (0..<one.index.count).lazy.map({ one.index[$0] }) where entry.record != 0 {
                places[RowID(root: root, key: entry.key)] = RecordPlace(
                    file: entry.file, line: entry.line, column: 1, byteOffset: -1, record: entry.record)
            }
        }
        return places
    }

    mutating func claim(_ index: Int, _ entry: Int, at place: RecordPlace) {
        tracked[index].index.claim(entry, record: place.record, line: place.line, file: place.file)
    }

    /// Adds a new row to every index of its entity, and hands over what has a unique key already.
    ///
    /// - Parameter isRejected: whether the row is refused already. Its keys stay taken, but make nobody else ambiguous.
    /// - Returns: whether the row is refused: it was, or has a twin.
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

    /// Adds a new row to every index of its entity, unless another object has one of its unique keys.
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
        for index in indexes {
            // A row that may take the place of a refused one is left to the other way.
            if !tracked[index].isUnique { return addShared(row: row, of: batch, at: place) }
        }
        for index in indexes { _ = add(row: row, of: batch, to: index, at: place) { _, _ in } }
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

    private mutating func addShared(row: Int, of batch: borrowing RowBatch, at place: RecordPlace) -> Bool {
        add(row: row, of: batch, at: place, isRejected: false) { _, _ in }
        return true
    }

    /// False where another object has a unique key.
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
        // A later record may change the natural key of the other object.
        if changeable.contains(index) { tracked[index].isStale = true }
        return changeable.contains(index)
    }

    /// Takes note of a row that sets `filled` slots of an object that is there already; `identity` is the index by which
    /// it was found.
    mutating func update(
        row: Int, of batch: borrowing RowBatch, filled: SlotMask, identity: Int, at place: RecordPlace,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) {
        let object = batch.rows[row].key
        for index in byEntity[Int(batch.rows[row].entity)] where index != identity {
            let changed = tracked[index].slots.count { filled.contains($0) }
            guard tracked[index].isUnique, changed == tracked[index].slots.count else {
                // Its other values, and who is equal to it, only the store knows.
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

    /// The current record was refused: its keys stay taken.
    mutating func rejectRecord() {
        for (index, entry) in added { tracked[index].index.reject(entry) }
        // Objects keep the keys that the record would have changed.
        for index in rekeyed { tracked[index].isStale = true }
    }

    /// False where one of the values is NULL: such a row has no key.
    static func appendKey(
        of row: Int, in batch: borrowing RowBatch, slots: [Int], to key: inout [UInt8]
    ) -> Bool {
        for slot in slots {
            guard NaturalKeyBytes.append(batch[row, slot], of: batch, to: &key) else { return false }
        }
        return true
    }
}

/// Where a record stands, kept short: an import remembers one for each reference that waits.
struct RecordPlace: BitwiseCopyable {
    var file: Int32
    var line: Int
    var column: Int
    var byteOffset: Int
    var record: Int

    func position(files: [String]) -> SourcePosition {
        SourcePosition(
            file: files.indices.contains(Int(file)) ? files[Int(file)] : "", line: line, column: column,
            byteOffset: byteOffset < 0 ? nil : byteOffset,
            record: record)
    }

    func describe(_ files: [String]) -> String {
        "\(files.indices.contains(Int(file)) ? files[Int(file)] : "the store"):\(line)"
    }
}
