import GranaryBase
import GranaryModel
import GranaryPersistence

/// Makes objects that references ask for and nobody has brought (`--on-missing create`): of their key and defaults.
///
/// They are inserted only when the rows that ask for them have turned out good.
final class LookupMaker {
    private let schema: Schema
    private var rows = RowBatch()
    private var indexes: [RowID: Int] = [:]

    init(schema: Schema) { self.schema = schema }

    func hasMade(_ row: RowID) -> Bool { indexes[row] != nil }

    /// Prepares an object with this key.
    ///
    /// - Parameter key: gives out the object's key (`Z_PK`).
    /// - Returns: its key, or why there can be none.
    func make(
        _ tracked: Int, _ bytes: [UInt8], _ relationship: Schema.Relationship, in keys: inout TrackedKeys,
        key: (Int) -> Int64?
    ) -> Result<(entity: Int32, key: Int64), Refusal> {
        let entity = schema.entities[relationship.destination]
        guard !entity.isAbstract else { return .failure(Refusal("\(entity.name) is abstract")) }
        guard let object = key(entity.root) else { return .failure(Refusal("there are no keys left")) }
        let row = rows.appendRow(entity: entity.index, key: object, version: 1, slotCount: entity.slotCount)
        if let problem = fill(row, of: entity, slots: keys.tracked[tracked].slots, bytes) {
            rows.removeLastRow()
            return .failure(problem)
        }
        guard keys.add(made: row, of: rows) else {
            rows.removeLastRow()
            return .failure(Refusal("another object has the same in what must be unique"))
        }
        indexes[RowID(root: entity.root, key: object)] = row
        return .success((Int32(entity.index), object))
    }

    struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private func fill(_ row: Int, of entity: Schema.Entity, slots: [Int], _ bytes: [UInt8]) -> Refusal? {
        let cells = KeyBytes.cells(bytes, into: &rows)
        for attribute in entity.attributes where attribute.isPersistent {
            if attribute.description.derivationExpression != nil { continue }
            if let place = slots.firstIndex(of: attribute.slot), cells.indices.contains(place) {
                rows[row, attribute.slot] = Self.cell(cells[place], for: attribute)
            } else if let value = attribute.description.defaultValue {
                value.withBorrowed { rows.set($0, row: row, slot: attribute.slot) }
            }
            let violations = try? rows.withValue(row: row, of: attribute) { attribute.validator.violations(of: $0) }
            if let violation = violations?.first { return Refusal("\(attribute.name): \(violation.message)") }
            if violations == nil { return Refusal("\(attribute.name): the key is not of its type") }
        }
        for relationship in entity.relationships where relationship.isPersistent {
            if let violation = relationship.violations(ofCount: 0).first {
                return Refusal("\(relationship.name): \(violation.message)")
            }
        }
        return nil
    }

    /// Keys do not tell text from bytes; the attribute does.
    private static func cell(_ cell: StoredCell, for attribute: Schema.Attribute) -> StoredCell {
        guard case .text(let start, let count) = cell else { return cell }
        switch attribute.type {
        case .binary, .transformable, .uuid: return .blob(start: start, count: count)
        case .decimal: return .decimal(start: start, count: count)
        default: return cell
        }
    }

    /// Inserts those that are asked for, and says how many; those that the store refuses are handed over with the reason.
    func insert(_ needed: Set<RowID>, through writer: RowWriter, refused: inout [RowID: String]) throws -> Int {
        var batch = rows
        batch.rows = rows.rows.filter {
            needed.contains(RowID(root: schema.entities[Int($0.entity)].root, key: $0.key))
        }
        guard !batch.isEmpty else { return 0 }
        let before = writer.refused.count
        try writer.insert(batch)
        for refusal in writer.refused.dropFirst(before) { refused[refusal.row] = refusal.error.message }
        for header in batch.rows {
            let entity = schema.entities[Int(header.entity)]
            let id = RowID(root: entity.root, key: header.key)
            if refused[id] == nil { writer.noteMade(id, entity: entity.index) }
        }
        return batch.rows.count - refused.count
    }
}
