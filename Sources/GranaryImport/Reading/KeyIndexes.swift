import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// The natural keys by which an import finds objects: unique keys, keys of lookups, and the keys that identify the
/// object of a row.
struct KeyIndexes {
    /// Properties whose values are indexed.
    struct KeyIndex {
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

    private(set) var all: [KeyIndex] = []
    /// For each entity, the indices in `all` that its objects belong to.
    private(set) var byEntity: [[Int]]
    private let schema: Schema
    private let imported: Set<Int>
    /// The root entities of all objects that records can be.
    private var recordRoots: Set<Int>
    /// The entities whose objects later records may create.
    private var awaited: Set<Int>
    /// The indexes whose keys rows can change, because they find their objects by another key.
    private var changeable: Set<Int> = []
    private var scratch: [UInt8] = []
    /// The indexes in which the current record has changed keys.
    private var rekeyed: Set<Int> = []
    /// The entries that the current record has added.
    private var added: [Added] = []
    /// The stored objects that the objects nested in the current record have claimed, and who had claimed them before.
    private var claimed: [(indexNumber: Int, entry: Int, before: KeyEntries.Place)] = []
    /// Whether the current object is nested in a record.
    var isNested = false

    private struct Added {
        let indexNumber: Int
        let entry: Int
        let isNested: Bool
    }

    /// Creates indexes for the uniqueness constraints of the imported entities.
    ///
    /// - Parameters:
    ///   - entities: the entities of records, and those whose objects references create.
    ///   - records: the entities of records.
    init(schema: Schema, entities: Set<Int>, records: Set<Int>) {
        self.schema = schema
        imported = entities
        recordRoots = Set(records.map { schema.entities[$0].root })
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
        if let known = all.firstIndex(where: { $0.owner == owner && $0.slots == slots && $0.isUnique == isUnique }) {
            return known
        }
        // A lookup by unique values uses their index.
        if !isUnique, let known = all.firstIndex(where: { $0.owner == owner && $0.slots == slots }) { return known }
        all.append(KeyIndex(owner: owner, slots: slots, names: names, isUnique: isUnique))
        for entity in schema.entities[owner].family { byEntity[entity].append(all.count - 1) }
        return all.count - 1
    }

    /// The slots of the attributes in keys of an entity.
    func keySlots(of entity: Schema.Entity) -> SlotMask {
        var mask = SlotMask(slotCount: entity.slotCount)
        for index in byEntity[entity.index] { for slot in all[index].slots { mask.insert(slot) } }
        return mask
    }

    /// Whether a key that is found now means the same object after all records are read.
    func isFinal(_ index: Int?) -> Bool {
        guard let index else { return true }
        if isConstant(index) { return true }
        return all[index].isUnique && !changeable.contains(index)
    }

    /// Whether no record of the import adds, changes or removes an entry.
    func isConstant(_ index: Int) -> Bool { imported.isDisjoint(with: schema.entities[all[index].owner].family) }

    /// Whether no record is an object of an entity's hierarchy. All outcomes of a lookup are then known while records are read:
    /// only lookups themselves create objects there.
    func isOutsideRecords(_ entity: Int) -> Bool { !recordRoots.contains(schema.entities[entity].root) }

    /// Notes that nested objects are rows of these entities.
    mutating func addRecords(of entities: Set<Int>) {
        recordRoots.formUnion(entities.map { schema.entities[$0].root })
    }

    /// Sets the entities whose objects later records may create.
    mutating func expect(_ entities: Set<Int>) { awaited = entities }

    /// Whether no later record adds, changes or removes an entry.
    func isComplete(_ index: Int) -> Bool {
        isConstant(index)
            || !changeable.contains(index) && !all[index].isStale
                && awaited.isDisjoint(with: schema.entities[all[index].owner].family)
    }

    /// Notes that rows of an entity change objects that they find by one index. Keys in the entity's other indexes can
    /// then change.
    ///
    /// - Parameter indexNumber: the number in ``all`` of the index by which the objects are found.
    mutating func noteUpdates(of entity: Int, indexNumber: Int) {
        changeable.formUnion(byEntity[entity].filter { $0 != indexNumber })
    }

    private func slot(of property: Schema.Slot, owner: Int) -> Int {
        switch property {
        case .attribute(let index): schema.entities[owner].attributes[index].slot
        case .relationship(let index): schema.entities[owner].relationships[index].slot
        }
    }

    // MARK: Stored objects

    /// Adds the stored objects to the indexes, with one read for each index.
    mutating func load(from store: any StoreBackend) throws {
        for place in all.indices { try load(place, from: store) }
    }

    /// Whether records can change keys of existing objects in the index. The keys are then final only after all records
    /// are read.
    func isChangeable(_ index: Int) -> Bool { changeable.contains(index) }

    /// Whether records can change unique keys of existing objects.
    var mayChangeUnique: Bool { changeable.contains { all[$0].isUnique } }

    /// The indexes that must be rebuilt because records change natural keys of existing objects.
    var stale: [Int] { all.indices.filter { all[$0].isStale } }

    /// Replaces an index by a rebuilt one.
    mutating func replace(_ index: Int, by fresh: NaturalKeyIndex) { all[index].index = fresh }

    private mutating func load(_ place: Int, from store: any StoreBackend) throws {
        let owner = all[place].owner
        try store.read(entities: schema.entities[owner].family, batchSize: 1000) { batch in
            for row in batch.rows.indices {
                scratch.removeAll(keepingCapacity: true)
                guard Self.appendKey(of: row, in: batch, slots: all[place].slots, to: &scratch) else { continue }
                let header = batch.rows[row]
                let content = all[place].isUnique ? 0 : RowDigest.digest(row, of: batch, schema)
                _ = all[place].index.insert(scratch, entity: header.entity, object: header.key, content: content)
            }
            return true
        }
    }

    // MARK: Rows

    /// Starts the next record.
    mutating func beginRecord() {
        added.removeAll(keepingCapacity: true)
        if !claimed.isEmpty { claimed.removeAll(keepingCapacity: true) }
        isNested = false
        if !rekeyed.isEmpty { rekeyed.removeAll(keepingCapacity: true) }
    }

    /// Returns the key of a row in one index and the entry with that key, if any; nil if a value of the key is NULL.
    mutating func find(_ index: Int, row: Int, of batch: borrowing RowBatch) -> (key: [UInt8], entry: Int?)? {
        switch match(index, row: row, of: batch) {
        case .noKey: nil
        case .none: (scratch, nil)
        case .entry(let entry): (scratch, entry)
        }
    }

    /// What a row finds by its key.
    enum Match {
        /// A value of the key is NULL.
        case noKey
        case none
        /// The number of the entry.
        case entry(Int)
    }

    /// Finds the entry with the key of a row.
    mutating func match(_ index: Int, row: Int, of batch: borrowing RowBatch) -> Match {
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &scratch) else { return .noKey }
        guard let entry = all[index].index.findIndex(scratch), !all[index].index[entry].yields else { return .none }
        return .entry(entry)
    }

    func entry(_ index: Int, _ entry: Int) -> NaturalKeyIndex.Entry { all[index].index[entry] }

    /// The record that names each object.
    func recordsByObject() -> [RowID: RecordLocation] {
        var places: [RowID: RecordLocation] = [:]
        for one in all where one.isUnique {
            let root = schema.entities[one.owner].root
            for entry in (0..<one.index.count).lazy.map({ one.index[$0] }) {
                if let place = entry.place { places[RowID(root: root, key: entry.key)] = place }
            }
        }
        return places
    }

    /// Notes the record that names a stored object. If the object is nested in a record that is rejected, the claim is
    /// taken back.
    mutating func claim(_ index: Int, _ entry: Int, at place: RecordLocation) {
        if isNested { claimed.append((index, entry, all[index].index.claimant(entry))) }
        all[index].index.claim(entry, record: place.record, line: place.line, file: place.file)
    }

    /// Adds a new row to each index of its entity.
    ///
    /// - Parameters:
    ///   - isRejected: whether the row is rejected already. Its keys are added too, except keys that another object
    ///     has.
    ///   - duplicate: called with an index and its entry if another object has the unique key.
    /// - Returns: whether the row is rejected, by this call or already before it.
    @discardableResult
    mutating func add(
        row: Int, of batch: borrowing RowBatch, at place: RecordLocation, isRejected: Bool,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) -> Bool {
        var isRejected = isRejected
        let indexes = byEntity[Int(batch.rows[row].entity)]
        for index in indexes where all[index].isUnique {
            if !add(row: row, of: batch, to: index, at: place, duplicate) { isRejected = true }
        }
        for index in indexes where !all[index].isUnique {
            scratch.removeAll(keepingCapacity: true)
            guard Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &scratch) else { continue }
            if let known = all[index].index.findIndex(scratch) {
                if isRejected { continue }
                if all[index].index[known].isRejected {
                    all[index].index.free(known)
                }
            }
            _ = add(row: row, of: batch, to: index, at: place, duplicate)
        }
        return isRejected
    }

    /// Adds an object that a lookup creates to each index of its entity.
    ///
    /// - Returns: the entries; nil, without a change, if another object has one of its unique keys.
    mutating func addMade(row: Int, of batch: borrowing RowBatch) -> [(indexNumber: Int, entry: Int)]? {
        let header = batch.rows[row]
        var keys: [(indexNumber: Int, key: [UInt8])] = []
        for index in byEntity[Int(header.entity)] {
            var key: [UInt8] = []
            guard Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &key) else { continue }
            if all[index].isUnique, all[index].index.findIndex(key) != nil { return nil }
            keys.append((index, key))
        }
        var made: [(indexNumber: Int, entry: Int)] = []
        // A default value of the created object must not make the key of another object ambiguous.
        for (index, key) in keys where all[index].index.findIndex(key) == nil {
            let (entry, _) = all[index].index.insert(key, entity: header.entity, object: header.key)
            all[index].index.noteMade(entry)
            made.append((index, entry))
        }
        return made
    }

    /// Removes index entries that ``addMade(row:of:)`` added.
    mutating func removeMade(_ made: [(indexNumber: Int, entry: Int)]) {
        for (index, entry) in made { all[index].index.free(entry) }
    }

    /// Adds a new row to each index of its entity, unless another object has one of its unique keys.
    ///
    /// - Returns: whether it was added.
    mutating func addUnique(row: Int, of batch: borrowing RowBatch, at place: RecordLocation) -> Bool {
        let indexes = byEntity[Int(batch.rows[row].entity)]
        if indexes.count == 1, all[indexes[0]].isUnique {
            return addUnique(row: row, of: batch, to: indexes[0], at: place)
        }
        for index in indexes where all[index].isUnique {
            scratch.removeAll(keepingCapacity: true)
            guard Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &scratch) else { continue }
            if all[index].index.isTaken(scratch) { return false }
        }
        added.removeAll(keepingCapacity: true)
        if indexes.allSatisfy({ all[$0].isUnique }) {
            for index in indexes { _ = add(row: row, of: batch, to: index, at: place) { _, _ in } }
        } else {
            // In an index whose keys need not be unique, the row can replace a rejected one.
            add(row: row, of: batch, at: place, isRejected: false) { _, _ in }
        }
        return true
    }

    /// Whether another object has one of the unique keys of a row.
    mutating func isTaken(row: Int, of batch: borrowing RowBatch) -> Bool {
        for index in byEntity[Int(batch.rows[row].entity)] where all[index].isUnique {
            if case .entry = match(index, row: row, of: batch) { return true }
        }
        return false
    }

    private mutating func addUnique(
        row: Int, of batch: borrowing RowBatch, to index: Int, at place: RecordLocation
    ) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &scratch) else { return true }
        let header = batch.rows[row]
        let entry = all[index].index.insertNew(
            scratch, entity: header.entity, object: header.key,
            at: KeyEntries.Place(record: place.record, line: place.line, file: place.file))
        guard let entry else { return false }
        added.removeAll(keepingCapacity: true)
        added.append(Added(indexNumber: index, entry: entry, isNested: false))
        return true
    }

    /// Adds a new row to one index; false if the index is unique and another object has the key.
    private mutating func add(
        row: Int, of batch: borrowing RowBatch, to index: Int, at place: RecordLocation,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) -> Bool {
        let header = batch.rows[row]
        scratch.removeAll(keepingCapacity: true)
        guard Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &scratch) else { return true }
        let content = all[index].isUnique ? 0 : RowDigest.digest(row, of: batch, schema)
        let (entry, other) = all[index].index.insert(
            scratch, entity: header.entity, object: header.key, content: content, record: place.record,
            line: place.line, file: place.file, marksSharing: !all[index].isUnique)
        guard let other else {
            added.append(Added(indexNumber: index, entry: entry, isNested: isNested))
            return true
        }
        guard all[index].isUnique else { return true }
        duplicate(index, other)
        // A later record can change the natural key of the other object.
        if changeable.contains(index) { all[index].isStale = true }
        return changeable.contains(index)
    }

    /// Notes the keys of a row that sets the slots `filled` of an existing object.
    ///
    /// - Parameter indexNumber: the number in ``all`` of the index by which the object was found.
    mutating func update(
        row: Int, of batch: borrowing RowBatch, filled: SlotMask, indexNumber: Int, at place: RecordLocation,
        _ duplicate: (Int, NaturalKeyIndex.Entry) -> Void
    ) {
        let object = batch.rows[row].key
        for index in byEntity[Int(batch.rows[row].entity)] where index != indexNumber {
            let changed = all[index].slots.count { filled.contains($0) }
            guard all[index].isUnique, changed == all[index].slots.count else {
                // The other values of the key are only in the store.
                if changed > 0 || !all[index].isUnique { all[index].isStale = true }
                continue
            }
            scratch.removeAll(keepingCapacity: true)
            let hasKey = Self.appendKey(of: row, in: batch, slots: all[index].slots, to: &scratch)
            if hasKey, let known = all[index].index.findIndex(scratch),
                all[index].index[known].key == object
            {
                claim(index, known, at: place)
                continue
            }
            all[index].index.remove(object: object, at: place)
            rekeyed.insert(index)
            all[index].isStale = true
            guard hasKey else { continue }
            let count = added.count
            _ = add(row: row, of: batch, to: index, at: place, duplicate)
            if added.count > count { all[index].index.noteChange(added[count].entry) }
        }
    }

    /// Notes that the current record was rejected. Its keys stay taken, except those that contain a reference to one of
    /// its own new objects: the next record reuses the primary keys of these objects. The objects nested in the record
    /// hold no keys, because another record can contain the same objects.
    ///
    /// - Parameter isOwn: whether a new object of the record has this primary key in the hierarchy of this root entity.
    mutating func rejectRecord(isOwn: (_ root: Int, _ key: Int64) -> Bool) {
        for one in added {
            let (index, entry) = (one.indexNumber, one.entry)
            let refersToOwn = references(in: entry, of: index).contains { isOwn($0.root, $0.key) }
            all[index].index.reject(entry, yields: one.isNested)
            if refersToOwn { all[index].index.free(entry) }
        }
        for (index, entry, before) in claimed.reversed() { all[index].index.restore(entry, to: before) }
        // Objects keep the keys that the record would change.
        for index in rekeyed { all[index].isStale = true }
    }

    /// The references in the key of an entry, with the root entities of their destinations.
    private func references(in entry: Int, of index: Int) -> [(root: Int, key: Int64)] {
        let one = all[index]
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
