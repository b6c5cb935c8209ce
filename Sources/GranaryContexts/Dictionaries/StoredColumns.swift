import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Columns of dictionaries that are stored properties of the fetched objects themselves. Their cells are copied, and
/// become values only when they are accessed.
struct StoredColumns {
    /// What a column holds.
    enum Kind: Sendable {
        case attribute(AttributeType)
        case toOne
    }

    /// Cells of rows: those of the first row, then those of the next.
    struct Cells: Sendable {
        let kinds: [Kind]
        let identity: StoreIdentity
        var cells: [StoredCell] = []
        var bytes: [UInt8] = []

        func value(at place: Int, _ column: Int) -> PropertyValue {
            guard cells.indices.contains(place) else { return .attribute(nil) }
            switch (kinds[column], cells[place]) {
            case (.toOne, .reference(let key, let entity)):
                return .object(ManagedObjectID(origin: identity, entity: Int(entity), key: key))
            case (.toOne, _): return .object(nil)
            case (.attribute(let type), let cell):
                // The cell was checked when it was copied.
                let value = bytes.withUnsafeBufferPointer { bytes in
                    (try? cell.value(as: type, in: bytes)).flatMap { AttributeValue($0) }
                }
                return .attribute(value)
            }
        }
    }

    private let schema: Schema
    private let kinds: [Kind]
    private let firstEntity: Int
    /// Where the columns are in the rows of each entity.
    private let places: [Places]

    private struct Places {
        var slots: [Int] = []
        /// Nil for a relationship.
        var attributes: [Schema.Attribute?] = []
    }

    /// Returns nil if a column is anything else than a stored attribute or to-one relationship.
    init?(_ columns: [FetchColumns.Column], entities: Range<Int>, schema: Schema) {
        var places: [Places] = []
        var kinds: [Kind] = []
        for entity in schema.entities[entities] {
            var row = Places()
            for column in columns {
                guard column.resultType == nil, case .keyPath(let name) = column.expression else { return nil }
                let kind: Kind
                if let attribute = entity.attribute(named: name), attribute.isPersistent {
                    row.slots.append(attribute.slot)
                    row.attributes.append(attribute)
                    kind = .attribute(attribute.type)
                } else if let link = entity.relationship(named: name), link.isPersistent, !link.isToMany {
                    row.slots.append(link.slot)
                    row.attributes.append(nil)
                    kind = .toOne
                } else {
                    return nil
                }
                if row.slots.count > kinds.count { kinds.append(kind) }
            }
            places.append(row)
        }
        self.schema = schema
        self.kinds = kinds
        self.places = places
        firstEntity = entities.lowerBound
    }

    /// Copies the cells of the columns.
    ///
    /// - Returns: nil if a value is in a file, which can be gone when the value is accessed.
    /// - Throws: ``GranaryError`` for a value that the attribute cannot have.
    func cells(of batch: borrowing RowBatch, _ identity: StoreIdentity) throws -> Cells? {
        var result = Cells(kinds: kinds, identity: identity)
        result.cells.reserveCapacity(batch.rows.count * kinds.count)
        for row in batch.rows.indices {
            let header = batch.rows[row]
            let entity = Int(header.entity) - firstEntity
            guard places.indices.contains(entity) else { return nil }
            for (column, slot) in places[entity].slots.enumerated() {
                let cell = batch.cells[header.firstCell + slot]
                if case .file = cell { return nil }
                if case .attribute(let type) = kinds[column], !Self.isRegular(cell, type),
                    let attribute = places[entity].attributes[column]
                {
                    _ = try batch.checkedValue(row: row, of: attribute, schema)
                }
                result.cells.append(cell.moved(from: batch.bytes, to: &result.bytes))
            }
        }
        return result
    }

    /// Whether a cell needs no further check to be a value of the type.
    private static func isRegular(_ cell: StoredCell, _ type: AttributeType) -> Bool {
        switch (type, cell) {
        case (_, .null), (.integer64, .integer), (.double, .real), (.date, .real), (.date, .integer),
            (.string, .text), (.binary, .blob), (.boolean, .integer(0)), (.boolean, .integer(1)):
            true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        case (.uuid, .blob(_, count: 16)): true
        default: false
        }
    }
}
