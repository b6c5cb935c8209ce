import GranaryCoordination
import GranaryModel

/// The objects that lookups create while records are read (``ImportOptions/MissingPolicy/create``). No record is an
/// object of their hierarchies, so their primary keys are final.
///
/// A lookup whose object a record could still create waits instead, and ``MissingObjectCreator`` creates its object.
struct MadeObjects {
    private let schema: Schema
    /// The entities whose rows are saved as managed objects. They are created after reading.
    private let objectEntities: Set<Int>
    /// The objects that are not in a batch yet, and the places of the first references to them.
    private(set) var rows = RowBatch()
    private(set) var places: [RecordLocation] = []
    /// The entries of `rows` in the indexes.
    private var entries: [[(indexNumber: Int, entry: Int)]] = []
    private var primaryKeys: PrimaryKeys
    /// The root entities of the objects in batches.
    private var roots: Set<Int> = []
    private var bytesBefore: [Int] = []

    init(schema: Schema, objectEntities: Set<Int>, primaryKeys: PrimaryKeys) {
        self.schema = schema
        self.objectEntities = objectEntities
        self.primaryKeys = primaryKeys
    }

    /// The number of objects that are not in a batch yet.
    var count: Int { rows.rows.count }

    /// Creates the object with a natural key.
    ///
    /// - Returns: its entity and primary key; nil if it cannot be created, which is reported after reading.
    mutating func make(
        _ indexNumber: Int, _ bytes: [UInt8], destination: Int, _ keys: inout KeyIndexes, at place: RecordLocation
    ) -> (entity: Int32, key: Int64)? {
        let entity = schema.entities[destination]
        guard !entity.isAbstract, !objectEntities.contains(destination),
            let key = primaryKeys.next(root: entity.root)
        else { return nil }
        let start = rows.bytes.count
        let row = rows.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        let slots = keys.all[indexNumber].slots
        guard MissingObjectRow.fill(row, of: entity, slots: slots, bytes, isChecked: true, in: &rows) == nil,
            let made = keys.addMade(row: row, of: rows)
        else {
            rows.removeLastRow()
            rows.bytes.removeSubrange(start...)
            primaryKeys.giveBack(key, root: entity.root)
            return nil
        }
        places.append(place)
        entries.append(made)
        bytesBefore.append(start)
        return (Int32(entity.index), key)
    }

    /// Removes the objects after the first `count`, because the record of their first reference waits.
    mutating func remove(from count: Int, _ keys: inout KeyIndexes) {
        while rows.rows.count > count, let header = rows.rows.last, let made = entries.popLast() {
            keys.removeMade(made)
            primaryKeys.giveBack(header.key, root: schema.entities[Int(header.entity)].root)
            rows.removeLastRow()
            places.removeLast()
            if let start = bytesBefore.popLast() { rows.bytes.removeSubrange(start...) }
        }
    }

    /// Appends the objects to a batch and forgets them here.
    mutating func move(to batch: inout ParsedRows) {
        guard !rows.isEmpty else { return }
        let start = batch.rows.bytes.count
        batch.rows.bytes.append(contentsOf: rows.bytes)
        batch.rows.append(0..<rows.rows.count, of: rows, bytesAt: start)
        for header in rows.rows { roots.insert(schema.entities[Int(header.entity)].root) }
        for place in places {
            batch.origins.append(ParsedRows.Origin(place: place, isRecord: false, isMade: true))
        }
        rows.removeAll()
        primaryKeys.beginRecord()
        places.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        bytesBefore.removeAll(keepingCapacity: true)
    }

    /// Marks the primary keys of the created objects as allocated in the keys of the import.
    func noteKeys(in other: inout PrimaryKeys) {
        for root in roots { other.replace(root: root, by: primaryKeys) }
    }
}
