import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Creates the objects that references mean and neither the store nor a record has
/// (``ImportOptions/MissingPolicy/create``), from their natural key and default values. They are written only if a row
/// that refers to them is accepted.
struct MissingObjectCreator {
    private let schema: Schema
    private(set) var rows = RowBatch()
    private(set) var primaryKeys: PrimaryKeys
    private var indexes: [RowID: Int] = [:]
    /// The created objects by natural key, for each index of ``KeyIndexes``.
    private var made: [Int: NaturalKeyIndex] = [:]

    init(schema: Schema, primaryKeys: PrimaryKeys) {
        self.schema = schema
        self.primaryKeys = primaryKeys
    }

    var isEmpty: Bool { indexes.isEmpty }

    func hasMade(_ row: RowID) -> Bool { indexes[row] != nil }

    /// The row of a created object with another primary key, as a batch; nil for any other object.
    func row(of object: RowID, key: Int64) -> RowBatch? {
        guard let index = indexes[object] else { return nil }
        var row = RowBatch()
        row.append(index, of: rows, slotCount: schema.entities[Int(rows.rows[index].entity)].slotCount)
        row.rows[0].key = key
        return row
    }

    /// Returns the object with this natural key, and creates it on first use.
    ///
    /// - Parameter isChecked: whether the object must keep the rules of the model. If not, it is of the first concrete
    ///   entity of the destination.
    /// - Returns: the object's concrete entity and primary key, or the reason why it cannot be created.
    mutating func make(
        _ indexNumber: Int, _ bytes: [UInt8], _ relationship: Schema.Relationship, _ keys: KeyIndexes,
        isChecked: Bool = true
    ) -> Result<(entity: Int32, key: Int64), Problem> {
        if let known = made[indexNumber]?.find(bytes) { return .success((known.entity, known.key)) }
        let declared = schema.entities[relationship.destination]
        let concrete = declared.family.first { !schema.entities[$0].isAbstract }.map { schema.entities[$0] }
        guard let entity = isChecked ? declared : concrete, !entity.isAbstract else {
            return .failure(Problem("\(declared.name) is abstract"))
        }
        guard let object = primaryKeys.next(root: entity.root) else {
            return .failure(Problem("no primary keys are left"))
        }
        let row = rows.appendRow(entity: entity.index, key: object, version: 1, slotCount: entity.slotCount)
        let slots = keys.all[indexNumber].slots
        let problem =
            MissingObjectRow.fill(row, of: entity, slots: slots, bytes, isChecked: isChecked, in: &rows)
            .map { Problem($0) } ?? add(row, of: entity, keys)
        if let problem {
            rows.removeLastRow()
            primaryKeys.giveBack(object, root: entity.root)
            return .failure(problem)
        }
        indexes[RowID(root: entity.root, key: object)] = row
        return .success((Int32(entity.index), object))
    }

    /// Adds an object to the indexes of its entity, unless another object has one of its unique keys.
    private mutating func add(_ row: Int, of entity: Schema.Entity, _ keys: KeyIndexes) -> Problem? {
        var found: [(index: Int, key: [UInt8])] = []
        for index in keys.byEntity[entity.index] {
            var key: [UInt8] = []
            guard KeyIndexes.appendKey(of: row, in: rows, slots: keys.all[index].slots, to: &key) else { continue }
            if keys.all[index].isUnique,
                keys.all[index].index.find(key) != nil || made[index]?.find(key) != nil
            {
                return Problem(
                    "another object has the same unique values (\(keys.all[index].names.joined(separator: ", ")))")
            }
            found.append((index, key))
        }
        let header = rows.rows[row]
        for (index, key) in found {
            _ = made[index, default: NaturalKeyIndex()].insert(key, entity: header.entity, object: header.key)
        }
        return nil
    }

    /// The reason why an object cannot be created.
    struct Problem: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}
