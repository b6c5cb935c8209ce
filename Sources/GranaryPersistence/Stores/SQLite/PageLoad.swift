import GranaryBase
import GranaryModel
import GranarySQLite

/// Appends rows to the tables of a store in the making page by page (``DatabaseLoader``), in place of INSERT.
///
/// It takes rows whose keys ascend within each table. The first row that it cannot take, and everything else that is asked of the
/// store, ends the load; SQL goes on from there.
final class PageLoad {
    /// A column of a table, and what of an entity's row it holds.
    private struct Column: BitwiseCopyable {
        enum Kind: UInt8 {
            /// Another entity's, or a relationship's at the other end: NULL.
            case absent
            case number
            case real
            case text
            case blob
        }

        let kind: Kind
        let slot: Int
        let content: StoreSQL.Field.Content
    }

    private struct Plan {
        let table: TablePages
        let columns: [Column]
        let fields: [StoreSQL.Field]
        let external: StoreSQL.ExternalColumns?
    }

    private let plans: [Plan]
    private let files: ExternalFiles
    /// Rows that are encoded and not in pages yet.
    private var rows = RecordBatch()

    /// Begins a load, in a transaction that has written nothing yet.
    ///
    /// - Returns: nil for a store that others can see, or that does more with a row than keep it; and where a table has rows.
    init?(_ store: SQLiteStore, _ files: ExternalFiles) throws {
        // The unique index of a subentity is one over the whole table, and refuses rows that the model allows: SQL names them.
        let isWhole = store.schema.entities.allSatisfy { entity in
            entity.uniquenessConstraints.allSatisfy { store.schema.entities[$0.owner].superentity == nil }
        }
        guard isWhole, !store.isPublished, store.history == nil, store.layout.derivedColumns(of: store.schema).isEmpty
        else {
            return nil
        }
        let tables = store.layout.tables
        let objects = try store.connection.schema()
        guard !objects.contains(where: { $0.type == "trigger" }), try !store.mayRefuseRows(),
            let pages = try store.connection.beginLoading(tables.map(\.name), settings: SQLiteStore.buildSettings)
        else { return nil }
        self.files = files
        plans = store.schema.entities.map { entity in
            let table = store.layout.tableOfEntity[entity.index]
            let plan = store.sql.entities[entity.index]
            var fields = plan.insertFields[...]
            let columns = tables[table].columns.map { column in
                // The fields are those of the table's columns that belong to the entity, in order.
                guard plan.insertColumns.contains(column.name), let field = fields.popFirst() else {
                    return Column(kind: .absent, slot: 0, content: .value)
                }
                return Column(kind: Self.kind(column.declaredType), slot: field.slot, content: field.content)
            }
            return Plan(
                table: pages[table], columns: columns, fields: plan.insertFields, external: plan.external)
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

    /// How many encoded bytes are appended at a time.
    private static let blockBytes = 1 << 16

    /// Appends rows of a batch.
    ///
    /// - Returns: the first row that it does not take; the number of rows where it takes all.
    /// - Throws: errors of pages (``LoadError``); what `refused` makes of a ``CellRefusal`` or an error of a file with external data.
    func append(
        _ batch: borrowing RowBatch, _ refused: (any Error, RowBatch.Header) -> any Error, wrote: (Int) -> Void
    ) throws -> Int {
        try batch.bytes.withUnsafeBufferPointer { bytes in
            try batch.cells.withUnsafeBufferPointer { cells in
                var next = 0
                while next < batch.rows.count {
                    // Rows of one entity mostly come together.
                    let entity = batch.rows[next].entity
                    var end = next + 1
                    while end < batch.rows.count, batch.rows[end].entity == entity { end += 1 }
                    let plan = plans[Int(entity)]
                    let taken = try append(batch.rows[next..<end], plan, cells, bytes, refused, wrote)
                    next += taken
                    if next < end { return next }
                }
                return next
            }
        }
    }

    private func append(
        _ headers: ArraySlice<RowBatch.Header>, _ plan: Plan, _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>, _ refused: (any Error, RowBatch.Header) -> any Error,
        _ wrote: (Int) -> Void
    ) throws -> Int {
        // In a local variable: each access to a class's own would be checked.
        var rows = RecordBatch()
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        var taken = 0
        var last: Int64?
        var failure: (any Error)?
        for row in headers {
            guard last.map({ row.key > $0 }) ?? plan.table.canAppend(row.key) else { break }
            do {
                try files.beginRow(row.key, plan.external, isNew: true)
                guard try encode(row, plan, cells, bytes, &rows), rows.endRow(rowID: row.key) else {
                    rows.dropRow()
                    break
                }
            } catch {
                rows.dropRow()
                failure = refused(error, row)
                break
            }
            files.endRow()
            last = row.key
            taken += 1
            if rows.byteCount >= Self.blockBytes {
                try plan.table.append(rows)
                rows.removeAll()
            }
        }
        try plan.table.append(rows)
        rows.removeAll()
        wrote(taken)
        if let failure { throw failure }
        return taken
    }

    /// False for a row with a value that is not of its column's type: SQLite has rules for those.
    private func encode(
        _ row: RowBatch.Header, _ plan: Plan, _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>, _ rows: inout RecordBatch
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
            case (.text(let start, let count), .text): rows.add(text: Self.span(bytes, start, count))
            case (.blob(let start, let count), .blob):
                let value = Self.span(bytes, start, count)
                switch column.content {
                case .tagged: rows.add(blob: ExternalData.inlineTag, value)
                case .external: try addExternal(cell, value, bytes, column.slot, plan, &rows)
                default: rows.add(blob: value)
                }
            case (.decimal(let start, let count), _):
                throw CellRefusal.rounded(String(decoding: Self.span(bytes, start, count), as: UTF8.self))
            default: return false
            }
        }
        return true
    }

    /// Adds a value that goes to a file of its own if it is long.
    private func addExternal(
        _ cell: StoredCell, _ value: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ slot: Int,
        _ plan: Plan, _ rows: inout RecordBatch
    ) throws {
        guard let field = plan.fields.first(where: { $0.slot == slot }),
            let reference = try files.reference(to: cell, bytes, field)
        else { return rows.add(blob: ExternalData.inlineTag, value) }
        reference.withUnsafeBufferPointer { rows.add(blob: $0) }
    }

    /// A cell and its bytes are made together, so the span lies inside the buffer.
    private static func span(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
    }
}
