import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Appends rows to the tables of an unpublished store page by page (``DatabaseLoader``), without INSERT.
///
/// The keys must ascend within each table. The first row that cannot be appended ends the load, and so does any other
/// operation on the store. SQL inserts the remaining rows.
final class PageLoad {
    let encoder: RecordEncoder
    /// The table of each entity.
    private let tables: [TablePages]
    /// The join tables in the order of the layout, and the last rowid in each.
    private let joins: [TablePages]
    private var lastLinks: [Int64]
    private let files: ExternalFiles
    /// Encoded rows that are not in pages yet.
    private var rows = RecordBatch()

    /// Begins a load, in a transaction without changes.
    ///
    /// - Parameter settings: the statements that set the connection up again after the load.
    /// - Returns: nil if the store is published, has rows, or has a history, triggers or constraints.
    init?(_ store: SQLiteStore, _ files: ExternalFiles, settings: String) throws {
        // The unique index of a subentity covers the whole table, so it also refuses rows of other entities. SQL
        // reports which row it is.
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
            let pages = try store.connection.beginLoading(
                tables.map(\.name) + store.layout.joinTables.map(\.name), settings: settings)
        else { return nil }
        self.files = files
        encoder = RecordEncoder(store)
        self.tables = store.layout.tableOfEntity.map { pages[$0] }
        joins = Array(pages.dropFirst(tables.count))
        lastLinks = Array(repeating: 0, count: joins.count)
    }

    /// The number of encoded bytes that are appended at once.
    private static let blockBytes = 1 << 16

    /// Appends rows of a batch.
    ///
    /// - Returns: the number of appended rows, which is the index of the first row that cannot be appended.
    /// - Throws: ``LoadError``; the result of `refused` for a ``CellRefusal`` or an error of an external file.
    func append(
        _ batch: borrowing RowBatch, _ refused: (any Error, RowBatch.Header) -> any Error, wrote: (Int) -> Void
    ) throws -> Int {
        try batch.bytes.withUnsafeBufferPointer { bytes in
            try batch.cells.withUnsafeBufferPointer { cells in
                var next = 0
                while next < batch.rows.count {
                    // Rows of one entity are mostly consecutive.
                    let entity = batch.rows[next].entity
                    var end = next + 1
                    while end < batch.rows.count, batch.rows[end].entity == entity { end += 1 }
                    let taken = try append(
                        batch.rows[next..<end], Int(entity), batch.encoded as? EncodedRecords, cells, bytes, refused,
                        wrote)
                    next += taken
                    if next < end { return next }
                }
                return next
            }
        }
    }

    private func append(
        _ headers: ArraySlice<RowBatch.Header>, _ entity: Int, _ encoded: EncodedRecords?,
        _ cells: UnsafeBufferPointer<StoredCell>, _ bytes: UnsafeBufferPointer<UInt8>,
        _ refused: (any Error, RowBatch.Header) -> any Error, _ wrote: (Int) -> Void
    ) throws -> Int {
        // A local variable needs no exclusivity checks; a property of a class does.
        var rows = RecordBatch(capacity: 0)
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        let table = tables[entity]
        let plan = encoder.plans[entity]
        var taken = 0
        var last: Int64?
        var failure: (any Error)?
        for row in headers {
            guard last.map({ row.key > $0 }) ?? table.canAppend(row.key) else { break }
            if row.encoded >= 0, let encoded {
                try append(&rows, to: table)
                try table.append(encoded.records, Int(row.encoded), rowID: row.key)
                last = row.key
                taken += 1
                continue
            }
            do {
                try files.beginRow(row.key, plan.external, isNew: true)
                guard try encoder.encode(row, plan, cells, bytes, &rows, files), rows.endRow(rowID: row.key) else {
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
            if rows.byteCount >= Self.blockBytes { try append(&rows, to: table) }
        }
        try append(&rows, to: table)
        wrote(taken)
        if let failure { throw failure }
        return taken
    }

    /// Appends rows to a join table.
    ///
    /// - Parameter table: the index of the table in the layout.
    func append(_ links: JoinRows, table: Int, columns: Int) throws(LoadError) {
        var rows = RecordBatch(capacity: 0)
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        for row in 0..<links.count {
            for column in 0..<columns {
                if let value = links[row, column] { rows.add(value) } else { rows.addNull() }
            }
            lastLinks[table] += 1
            // The record of a few integers is never too large.
            _ = rows.endRow(rowID: lastLinks[table])
            if rows.byteCount >= Self.blockBytes { try append(&rows, to: joins[table]) }
        }
        try append(&rows, to: joins[table])
    }

    private func append(_ rows: inout RecordBatch, to table: TablePages) throws(LoadError) {
        guard rows.count > 0 else { return }
        try table.append(rows)
        rows.removeAll()
    }
}
