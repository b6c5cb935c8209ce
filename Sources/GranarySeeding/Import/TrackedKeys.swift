import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// The keys by which an import finds objects: those that must be unique, and those that look-ups ask for.
struct TrackedKeys {
    /// One set of properties whose values are kept in an index.
    struct Tracked {
        /// The entity whose objects, subentities' included, are indexed.
        let owner: Int
        let slots: [Int]
        let names: [String]
        /// Whether two objects may not share the values.
        let isUnique: Bool
        var index = KeyIndex()
    }

    private(set) var tracked: [Tracked] = []
    /// For each entity the indexes into `tracked` that its objects belong to.
    private(set) var byEntity: [[Int]]
    private let schema: Schema
    private let imported: Set<Int>
    private var scratch: [UInt8] = []

    /// Starts with the uniqueness constraints of the entities that are imported.
    init(schema: Schema, entities: [Int]) {
        self.schema = schema
        imported = Set(entities)
        byEntity = Array(repeating: [], count: schema.entities.count)
        for entity in entities { addConstraints(of: entity) }
    }

    mutating func addConstraints(of entity: Int) {
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

    /// Whether a key that is found now means the same object at the end: later rows cannot bring another one.
    func isSettled(_ index: Int?) -> Bool {
        guard let index else { return true }
        return tracked[index].isUnique || imported.isDisjoint(with: schema.entities[tracked[index].owner].family)
    }

    private func slot(of property: Schema.Slot, owner: Int) -> Int {
        switch property {
        case .attribute(let index): schema.entities[owner].attributes[index].slot
        case .relationship(let index): schema.entities[owner].relationships[index].slot
        }
    }

    /// Puts the objects that the store has into the indexes: one read of each entity that has one.
    mutating func load(from store: any PersistentStore) throws {
        for place in tracked.indices {
            let owner = tracked[place].owner
            try store.read(entities: schema.entities[owner].family, batchSize: 1000) { batch in
                for row in batch.rows.indices {
                    scratch.removeAll(keepingCapacity: true)
                    guard Self.appendKey(of: row, in: batch, slots: tracked[place].slots, to: &scratch) else {
                        continue
                    }
                    let header = batch.rows[row]
                    let content = tracked[place].isUnique ? 0 : digest(of: row, in: batch)
                    _ = tracked[place].index.insert(
                        scratch, entity: header.entity, object: header.key, content: content)
                }
                return true
            }
        }
    }

    /// Adds a row of the import to every index of its entity, and hands over what has the key already.
    mutating func add(
        row: Int, of batch: borrowing RowBatch, at place: RecordPlace, _ duplicate: (Tracked, KeyIndex.Entry) -> Void
    ) {
        let header = batch.rows[row]
        for index in byEntity[Int(header.entity)] {
            scratch.removeAll(keepingCapacity: true)
            guard Self.appendKey(of: row, in: batch, slots: tracked[index].slots, to: &scratch) else { continue }
            let content = tracked[index].isUnique ? 0 : digest(of: row, in: batch)
            let twin = tracked[index].index.insert(
                scratch, entity: header.entity, object: header.key, content: content, record: place.record,
                line: place.line, file: place.file)
            if let twin, tracked[index].isUnique { duplicate(tracked[index], twin) }
        }
    }

    /// A digest of the row's entity and attributes. References stay out: they may not be known yet.
    private func digest(of row: Int, in batch: borrowing RowBatch) -> Int {
        let header = batch.rows[row]
        var hasher = Hasher()
        hasher.combine(header.entity)
        for attribute in schema.entities[Int(header.entity)].attributes {
            let cell = batch[row, attribute.slot]
            switch cell {
            case .text(let start, let count), .blob(let start, let count), .decimal(let start, let count):
                batch.lend(start, count) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
                hasher.combine(count)
            case .null, .integer, .real, .reference: hasher.combine(cell)
            }
        }
        return hasher.finalize()
    }

    /// False where one of the values is NULL: such a row has no key.
    private static func appendKey(
        of row: Int, in batch: borrowing RowBatch, slots: [Int], to key: inout [UInt8]
    ) -> Bool {
        for slot in slots {
            guard KeyBytes.append(batch[row, slot], of: batch, to: &key) else { return false }
        }
        return true
    }
}

/// Where a record stands, kept short: an import remembers one for each reference that waits.
struct RecordPlace {
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
}
