import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Encodes rows as SQLite records, for ``PageLoad``. Threads may share an encoder if each encodes its own batch.
final class RecordEncoder: RowEncoder {
    /// A column of a table and the slot of the value that it stores.
    fileprivate struct Column: BitwiseCopyable {
        enum Kind: UInt8 {
            /// The column belongs to another entity and is NULL.
            case absent
            case number
            case real
            case text
            case blob
        }

        let kind: Kind
        let slot: Int
        let content: StoreSQL.Field.Content
        /// The index of the case in its enumeration.
        let number: Int32
    }

    /// The columns and fields with which rows of an entity are encoded.
    struct Plan: Sendable {
        fileprivate let columns: [Column]
        fileprivate let fields: [StoreSQL.Field]
        let external: StoreSQL.ExternalColumns?
        fileprivate let enumerations: EnumerationCases?
    }

    /// The plan of each entity.
    let plans: [Plan]

    package init(_ store: SQLiteStore) {
        plans = store.schema.entities.map { entity in
            let plan = store.sql.entities[entity.index]
            var fields = plan.insertFields[...]
            let columns = store.layout.table(of: entity.index).columns.map { column in
                // The entity's fields are in the order of the table's columns.
                guard plan.insertColumns.contains(column.name), let field = fields.popFirst() else {
                    return Column(kind: .absent, slot: 0, content: .value, number: 0)
                }
                return Column(
                    kind: Self.kind(column.declaredType), slot: field.slot, content: field.content,
                    number: field.destination)
            }
            return Plan(
                columns: columns, fields: plan.insertFields, external: plan.external, enumerations: plan.enumerations)
        }
    }

    private static func kind(_ declaredType: String) -> Column.Kind {
        switch declaredType {
        case "FLOAT": .real
        case "VARCHAR": .text
        case "BLOB": .blob
        default: .number
        }
    }

    /// Encodes all rows except rows with external data and rows that the store refuses.
    package func encode(_ batch: inout RowBatch) {
        let reused = batch.encoded as? EncodedRecords
        let encoded = reused ?? EncodedRecords()
        if reused == nil { batch.encoded = encoded }
        var records = encoded.take()
        batch.bytes.withUnsafeBufferPointer { bytes in
            batch.cells.withUnsafeBufferPointer { cells in
                // Rows of one entity are mostly consecutive, and a copy of a plan is retained.
                var plan = Plan(columns: [], fields: [], external: nil, enumerations: nil)
                var entity: Int32 = -1
                for index in batch.rows.indices {
                    let row = batch.rows[index]
                    if row.entity != entity {
                        entity = row.entity
                        plan = plans[Int(row.entity)]
                    }
                    guard plan.external == nil, (try? encode(row, plan, cells, bytes, &records, nil)) ?? false,
                        records.endRow(rowID: 0)
                    else {
                        records.dropRow()
                        continue
                    }
                    batch.rows[index].encoded = Int32(truncatingIfNeeded: records.count - 1)
                }
            }
        }
        encoded.put(records)
    }

    /// Adds the values of a row to a record.
    ///
    /// - Parameter files: writes external data; nil for entities without it.
    /// - Returns: false if a value does not have its column's type. SQL must insert the row, as SQLite converts such
    ///   values.
    /// - Throws: ``CellRefusal``, and errors of a file with external data.
    func encode(
        _ row: RowBatch.Header, _ plan: Plan, _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>, _ rows: inout RecordBatch, _ files: ExternalFiles?
    ) throws -> Bool {
        rows.addNull()
        rows.add(Int64(row.entity) + 1)
        rows.add(row.version)
        for column in plan.columns {
            guard column.kind != .absent else {
                rows.addNull()
                continue
            }
            let cell = cells[row.firstCell + column.slot]
            switch (cell, column.kind) {
            case (.null, _): rows.addNull()
            case (.integer(let value), .number): rows.add(value, affinity: .numeric)
            case (.integer(let value), .real): rows.add(value, affinity: .real)
            case (.real(let value), .number), (.real(let value), .real):
                guard value.isFinite else { throw CellRefusal.notFinite(value) }
                rows.add(value, affinity: column.kind == .real ? .real : .numeric)
            case (.reference(let key, let entity), .number):
                rows.add(column.content == .referenceEntity ? Int64(entity) + 1 : key)
            case (.text(let start, let count), .text):
                let value = bytes.slice(start, count)
                if column.content == .enumerationCase,
                    let isChosen = try plan.enumerations?.isChosen(value, number: column.number, slot: column.slot),
                    !isChosen
                {
                    rows.addNull()
                } else {
                    rows.add(text: value)
                }
            case (.blob(let start, let count), .blob):
                let value = bytes.slice(start, count)
                switch column.content {
                case .tagged: rows.add(blob: ExternalData.inlineTag, value)
                case .external:
                    guard let files, let field = plan.fields.first(where: { $0.slot == column.slot }),
                        let reference = try files.reference(to: cell, bytes, field)
                    else {
                        rows.add(blob: ExternalData.inlineTag, value)
                        continue
                    }
                    reference.withUnsafeBufferPointer { rows.add(blob: $0) }
                default: rows.add(blob: value)
                }
            case (.file, .blob):
                guard column.content == .external, let files,
                    let field = plan.fields.first(where: { $0.slot == column.slot }),
                    let reference = try files.reference(to: cell, bytes, field)
                else { return false }
                reference.withUnsafeBufferPointer { rows.add(blob: $0) }
            case (.decimal(let start, let count), _):
                throw CellRefusal.rounded(String(decoding: bytes.slice(start, count), as: UTF8.self))
            default: return false
            }
        }
        return true
    }
}
