import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Writes rows and links into Core Data's tables. A context's save and bulk imports use the same writer.
final class SQLiteWriter: BulkStoreWriter {
    let store: SQLiteStore
    let connection: Connection
    let files: ExternalFiles
    /// Nil if the store has no history.
    let history: HistoryRecorder?
    /// Nil if the transaction is not recorded.
    let recorder: RunRecorder?
    /// Prepared statements by entity, kept for the transaction.
    private var inserts: [Int32: Statement] = [:]
    /// Statements that insert many rows at once.
    private var bulkInserts: [Int32: Statement] = [:]
    private var updates: [Int32: Statement] = [:]
    /// The prepared UPDATE of each to-one relationship.
    private var references: [LinkLayout.ID: ReferenceUpdate] = [:]
    var writtenRows = 0
    /// Whether to drop and recreate the indexes of tables that get many rows.
    var defersIndexes = false
    /// An estimate of the number of rows still to be inserted.
    var expectedRows = 0
    var dropped: [DroppedIndexes] = []
    /// The dropped triggers of trigger keys, as SQL statements.
    var droppedTriggers: [String] = []
    /// The number of inserted rows by table.
    var inserted: [String: Int] = [:]
    /// An estimate of the number of rows before the transaction, by table.
    var stored: [String: Int] = [:]
    /// For each column of owners in a join table, a primary key: this transaction added all links of owners with this key
    /// or a larger one.
    var newOwners: [String: Int64] = [:]
    /// Appends rows without SQL; nil once that is not possible any more.
    var load: PageLoad?
    var usedLoaders: Set<RowLoader> = []
    /// The number of statements since the memory for changed pages was last checked.
    var statementsSinceLook = 0

    init(store: SQLiteStore, files: ExternalFiles, recorder: RunRecorder?) {
        self.store = store
        self.recorder = recorder
        self.files = files
        connection = store.connection
        history = HistoryRecorder(store)
    }

    deinit {
        for statement in inserts.values { connection.giveBack(statement) }
        for statement in bulkInserts.values { connection.giveBack(statement) }
        for statement in updates.values { connection.giveBack(statement) }
        for update in references.values { connection.giveBack(update.statement) }
    }

    // MARK: Keys

    func reserveKeys(root: Int, count: Int) throws -> Int64 {
        let last = try lastKey(root: root)
        let (end, overflow) = last.addingReportingOverflow(Int64(max(0, count)))
        guard !overflow, end < Int64.max else {
            throw GranaryError(
                .refused, "\(store.path): there are no keys left for \(store.schema.entities[root].name)")
        }
        if count > 0 { try setLastKey(end, root: root) }
        return last + 1
    }

    func reserveKeys(root: Int, through key: Int64) throws {
        // Rows with larger keys may already exist.
        try setLastKey(max(key, try lastKey(root: root)), root: root)
    }

    /// The last allocated key, or the key of the last row if that is larger: other programs may have inserted rows
    /// without updating `Z_PRIMARYKEY` (docs/core-data/sqlite-layout.md#primary-keys).
    private func lastKey(root: Int) throws -> Int64 {
        guard store.schema.entities.indices.contains(root), let table = store.sql.roots[root]?.table else { return 0 }
        let query =
            "SELECT MAX(0, IFNULL(CAST(Z_MAX AS INTEGER), 0), IFNULL((SELECT MAX(Z_PK) FROM \(table)), 0)) "
            + "FROM Z_PRIMARYKEY WHERE Z_ENT = ?"
        return try connection.integer(query, Int64(root + 1)) ?? 0
    }

    private func setLastKey(_ key: Int64, root: Int) throws {
        try run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [key, Int64(root + 1)])
        guard connection.changes == 1 else {
            let name = store.schema.entities[root].name
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(store.path): Z_PRIMARYKEY has no row for \(name)", entity: name))
        }
    }

    func storeVersion() throws -> Int64 {
        // No other process changes an unpublished store.
        guard store.isPublished else { return 0 }
        return try connection.integer(pragma: "data_version") ?? 0
    }

    // MARK: Rows

    func insert(_ batch: borrowing RowBatch) throws {
        let loaded = try appendPages(batch)
        guard loaded < batch.rows.count else { return }
        usedLoaders.insert(.sql)
        try batch.bytes.withUnsafeBufferPointer { bytes in
            try batch.cells.withUnsafeBufferPointer { cells in
                var next = loaded
                while next < batch.rows.count {
                    // Rows of one entity are mostly consecutive.
                    let entity = batch.rows[next].entity
                    var end = next + 1
                    while end < batch.rows.count, batch.rows[end].entity == entity { end += 1 }
                    let table = store.sql.entities[Int(entity)].table
                    try recorder?.noteInsert(of: batch.rows[next..<end].lazy.map(\.key), into: table)
                    try insert(batch.rows[next..<end], entity, cells, bytes)
                    try noteInserted(end - next, into: table, expected: expectedRows)
                    next = end
                }
            }
        }
        // The bindings point into the batch's buffer, which is only valid during this call.
        for statement in inserts.values { statement.clearBindings() }
        for statement in bulkInserts.values { statement.clearBindings() }
        try writeOutIfMuch()
    }

    private func insert(
        _ rows: ArraySlice<RowBatch.Header>, _ entity: Int32, _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws {
        let plan = store.sql.entities[Int(entity)]
        var rest = rows
        while plan.external == nil, rest.count >= plan.bulkRows {
            let some = rest.prefix(plan.bulkRows)
            // If a row is refused, the loop below finds it.
            guard try insertBulk(some, plan, cells, bytes) else { break }
            for row in some { try history?.recordInsert(row, cells) }
            writtenRows += some.count
            rest = rest.dropFirst(plan.bulkRows)
        }
        guard !rest.isEmpty else { return }
        let statement = try prepared(plan.insert, entity, in: &inserts)
        for row in rest {
            try files.beginRow(row.key, plan.external, isNew: true)
            do {
                try bind(row, plan.insertFields, cells, bytes, to: statement, from: 0)
                try statement.run()
            } catch { throw refusal(error, row) }
            guard connection.changes == 1 else { throw notKept(row) }
            try history?.recordInsert(row, cells)
            files.endRow()
            writtenRows += 1
        }
    }

    /// Inserts rows with one statement. Returns false, and inserts none, if one of them is refused.
    private func insertBulk(
        _ rows: ArraySlice<RowBatch.Header>, _ plan: StoreSQL.EntityPlan, _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws -> Bool {
        guard let first = rows.first else { return true }
        let statement = try prepared(plan.bulkInsert, first.entity, in: &bulkInserts)
        var parameter = 0
        do {
            for row in rows {
                try bind(row, plan.insertFields, cells, bytes, to: statement, from: parameter)
                parameter += plan.insertFields.count + 3
            }
            try statement.run()
        } catch is CellRefusal {
            return false
        } catch let error as SQLiteError where error.isConstraintViolation || error.isUniqueViolation {
            return false
        }
        guard connection.changes == rows.count else { throw notKept(first) }
        return true
    }

    /// Binds a whole row to the parameters after `start`.
    private func bind(
        _ row: RowBatch.Header, _ fields: [StoreSQL.Field], _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>, to statement: Statement, from start: Int
    ) throws {
        try statement.bind(row.key, at: start + 1)
        try statement.bind(Int64(row.entity) + 1, at: start + 2)
        try statement.bind(row.version, at: start + 3)
        try bind(fields, row, cells, bytes, to: statement, from: start)
    }

    func update(_ batch: borrowing RowBatch) throws {
        try batch.bytes.withUnsafeBufferPointer { bytes in
            try batch.cells.withUnsafeBufferPointer { cells in
                for row in batch.rows {
                    let plan = store.sql.entities[Int(row.entity)]
                    let statement = try prepared(plan.update, row.entity, in: &updates)
                    let marks = try history?.marks(updating: row, cells, bytes) ?? []
                    try files.beginRow(row.key, plan.external, isNew: false)
                    do {
                        try statement.bind(row.key, at: 1)
                        try statement.bind(row.version, at: 2)
                        try bind(plan.updateFields, row, cells, bytes, to: statement, from: 0)
                        try statement.run()
                    } catch { throw refusal(error, row) }
                    guard connection.changes == 1 else {
                        let entity = store.schema.entities[Int(row.entity)].name
                        throw GranaryError(
                            .refused, "\(entity): there is no object with the key \(row.key) to update")
                    }
                    try history?.record(marks)
                    files.endRow()
                    writtenRows += 1
                }
            }
        }
        for statement in updates.values { statement.clearBindings() }
        try writeOutIfMuch()
    }

    private func bind(
        _ fields: [StoreSQL.Field], _ row: RowBatch.Header, _ cells: UnsafeBufferPointer<StoredCell>,
        _ bytes: UnsafeBufferPointer<UInt8>, to statement: Statement, from start: Int
    ) throws {
        lazy var enumerations = store.sql.entities[Int(row.entity)].enumerations
        for field in fields {
            let cell = cells[row.firstCell + field.slot]
            if case .reference(_, let entity) = cell, field.content == .referenceEntity {
                try statement.bind(Int64(entity) + 1, at: start + field.index)
            } else if field.content == .external {
                try files.bind(cell, bytes, field, to: statement)
            } else if field.content == .enumerationCase, case .text(let textStart, let count) = cell,
                try !enumerations.isChosen(
                    bytes.slice(textStart, count), number: field.destination, slot: field.slot)
            {
                try statement.bindNull(at: start + field.index)
            } else {
                try statement.bind(cell, bytes, isTagged: field.content == .tagged, at: start + field.index)
            }
        }
    }

    func raiseVersions(root: Int, keys: [Int64]) throws {
        guard let table = store.sql.roots[root]?.table else { return }
        // The highest version is damage: such rows cannot be read.
        let update = "UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT < \(Int64.max - 1)"
        for key in keys {
            try run(update, [key])
            try history?.record([HistoryMark(root: root, key: key)])
        }
    }

    func delete(entity: Int, keys: [Int64]) throws {
        let links = store.layout.removals(of: store.schema.entities[entity])
        let plan = store.sql.entities[entity]
        for key in keys {
            try history?.recordDeletion(entity: entity, key: key)
            try files.beginRow(key, plan.external, isNew: false)
            for statement in links { try run(statement, [key]) }
            try run(plan.delete, [key])
            files.endRow()
        }
    }

    func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?) throws {
        guard let update = try referenceUpdate(relationship) else { return }
        let marks = try history?.marks(setting: relationship, owner: owner, destination: destination) ?? []
        try update.statement.bind(owner, at: 1)
        try update.statement.bind(destination, at: 2)
        if update.hasEntity { try update.statement.bind(destination.map { _ in Int64(entity) + 1 }, at: 3) }
        do { try update.statement.run() } catch {
            guard error.isUniqueViolation else { throw error }
            let row = RowBatch.Header(entity: Int32(relationship.owner), key: owner, version: 0, firstCell: 0)
            throw uniqueRefusal(error, row, store.schema.entities[relationship.owner])
        }
        guard connection.changes == 1 else {
            throw GranaryError(
                .refused, "\(store.path): cannot set \(relationship.name) of p\(owner): the object does not exist")
        }
        try didRunStatement()
        try history?.record(marks)
    }

    // MARK: Statements

    private struct ReferenceUpdate {
        let statement: Statement
        let hasEntity: Bool
    }

    private func referenceUpdate(_ relationship: Schema.Relationship) throws -> ReferenceUpdate? {
        let key = LinkLayout.ID(relationship)
        if let update = references[key] { return update }
        guard let sql = store.layout.referenceUpdate(of: relationship, schema: store.schema) else { return nil }
        let update = ReferenceUpdate(statement: try connection.borrow(sql.text), hasEntity: sql.hasEntity)
        references[key] = update
        return update
    }

    private func prepared(
        _ sql: String, _ entity: Int32, in statements: inout [Int32: Statement]
    ) throws -> Statement {
        if let statement = statements[entity] { return statement }
        let statement = try connection.borrow(sql)
        statements[entity] = statement
        return statement
    }

    /// Runs a statement with integer parameters. Nil is NULL.
    func run(_ sql: String, _ parameters: [Int64?]) throws {
        try connection.run(sql, parameters)
        try didRunStatement()
    }
}
