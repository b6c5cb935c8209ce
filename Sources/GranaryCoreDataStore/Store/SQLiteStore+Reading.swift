package import GranaryBase
package import GranaryCoordination
package import GranaryModel
import GranarySQLite

extension SQLiteStore {
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        guard !connection.isInTransaction else { return try body() }
        snapshotUse.begin()
        defer { snapshotUse.end() }
        return try converting { try connection.transaction(.deferred, body) }
    }

    package func read(
        entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        guard let first = entities.first, let reader = reader(of: first) else { return }
        let table = reader.plan.table
        let scan = try converting {
            try TableScan(connection, table: table, key: RowReader.keyColumn, columns: reader.columnNames)
        }
        let condition = "WHERE Z_ENT BETWEEN \(first + 1) AND \(entities.upperBound) ORDER BY Z_PK"
        var start = ScanEnd.none
        if let scan {
            let sql = "\(reader.plan.select) \(condition)"
            start = try connection.tracing(sql, rowCount: { scan.rowCount }) {
                try readBatches(scan, reader, entities, batchSize, body)
            }
        }
        switch start {
        case .ended: return
        case .allRows(let count): return try naming(table) { try compareCount(of: table, rows: count) }
        case .none: try verify(table, for: .allRows)
        // The statement does not read all rows, so it would not notice that a key of another one does not ascend.
        case .stopped: try verify(table, for: .keys)
        }
        try verifyReferences(of: reader.plan)
        // Without an index, the statement reads the pages in their order, as the scan does.
        let source = scan != nil || verifiesTables ? "NOT INDEXED " : ""
        try naming(table) {
            try connection.withStatement("\(reader.plan.select) \(source)\(condition)") { statement in
                if case .stopped(let read, let last) = start, try !pass(read, statement, last: last) {
                    throw damage(in: table, "the rows behind Z_PK \(last) cannot be read")
                }
                try readBatches(statement, reader, batchSize: batchSize, KeyOrder(after: start.last), body)
            }
        }
    }

    private enum ScanEnd {
        /// There was no scan.
        case none
        /// `body` has stopped.
        case ended
        /// All rows of the table were read.
        case allRows(Int64)
        /// A statement must read the rows after the first ones that were read, the last of which has this key.
        case stopped(read: Int, last: Int64)

        var last: Int64? {
            if case .stopped(let read, let last) = self, read > 0 { last } else { nil }
        }
    }

    /// Moves a statement to the last of the rows that a scan has read.
    ///
    /// - Returns: false if it has another key, or there are fewer rows.
    private func pass(_ count: Int, _ statement: Statement, last: Int64) throws -> Bool {
        for _ in 0..<count { guard try statement.step() else { return false } }
        return count == 0 || statement.integer(at: 0) == last
    }

    /// Checks the tables in which the rows of a plan look up missing entity numbers of references.
    private func verifyReferences(of plan: StoreSQL.RootPlan) throws {
        for table in plan.lookedUpTables { try verify(table, for: .keys) }
    }

    /// Reads the rows of a table scan in batches.
    private func readBatches(
        _ scan: TableScan, _ reader: RowReader, _ entities: Range<Int>, _ batchSize: Int,
        _ body: (inout RowBatch) throws -> Bool
    ) throws -> ScanEnd {
        var batch = RowBatch()
        var read = 0
        var last: Int64 = 0
        loop: while true {
            let step = scan.next()
            if step == .end { break loop }
            let before = batch.rows.count
            guard step == .row, try reader.append(scan, entities: entities, to: &batch) else {
                if !batch.isEmpty, try !body(&batch) { return .ended }
                return .stopped(read: read, last: last)
            }
            guard batch.rows.count > before else { continue }
            read += 1
            last = scan.rowID
            if batch.rows.count >= max(1, batchSize) || batch.bytes.count >= Self.batchBytes {
                try Cancellation.current?.check()
                guard try body(&batch) else { return .ended }
                batch.removeAll()
            }
        }
        if !batch.isEmpty, try !body(&batch) { return .ended }
        return .allRows(Int64(scan.rowCount))
    }

    /// Reads the rows of a statement in batches; `body` returns false to stop.
    ///
    /// - Parameter order: checks the order of the keys; nil if the rows come in another order.
    func readBatches(
        _ statement: Statement, _ reader: RowReader, batchSize: Int, _ order: KeyOrder?,
        _ body: (inout RowBatch) throws -> Bool
    ) throws {
        var batch = RowBatch()
        var order = order
        while try statement.step() {
            try reader.append(statement, to: &batch)
            if let row = batch.rows.last, let before = order?.add(row.key) {
                throw TableDamage.order(reader.plan.table, path, row.key, after: before)
            }
            if batch.rows.count >= max(1, batchSize) || batch.bytes.count >= Self.batchBytes {
                guard try body(&batch) else { return }
                batch.removeAll()
            }
        }
        if !batch.isEmpty { _ = try body(&batch) }
    }

    package func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        var batch = RowBatch()
        guard let first = entities.first, let reader = reader(of: first) else { return batch }
        try verify(reader.plan.table, for: .keys)
        try verifyReferences(of: reader.plan)
        let condition = "WHERE Z_PK > ? AND Z_ENT BETWEEN \(first + 1) AND \(entities.upperBound) ORDER BY Z_PK"
        try naming(reader.plan.table) {
            try connection.withStatement("\(reader.plan.select) \(condition)") { statement in
                try statement.bind(key, at: 1)
                while batch.rows.count < limit, batch.bytes.count < Self.batchBytes, try statement.step() {
                    try reader.append(statement, to: &batch)
                }
            }
        }
        return batch
    }

    /// A batch ends when it holds this many bytes, even if it has fewer rows than requested.
    private static let batchBytes = 1 << 20

    package func read(root: Int, keys: [Int64]) throws -> RowBatch {
        var batch = RowBatch()
        guard let reader = reader(of: root) else { return batch }
        try verify(reader.plan.table, for: .keys)
        try verifyReferences(of: reader.plan)
        try forEachRow(keys, of: reader.plan.table, "\(reader.plan.select) WHERE Z_PK = ?") { statement, _ in
            try reader.append(statement, to: &batch)
        }
        return batch
    }

    /// The reader for the hierarchy of an entity; nil if there is no such entity.
    private func reader(of entity: Int) -> RowReader? {
        guard schema.entities.indices.contains(entity), let plan = sql.roots[schema.entities[entity].root] else {
            return nil
        }
        return reader(plan)
    }

    func reader(_ plan: StoreSQL.RootPlan) -> RowReader {
        RowReader(
            schema: schema, plan: plan, storePath: path, leavesFiles: leavesFiles, missingFiles: missingFiles)
    }

    /// Runs a query for each key, and calls `body` for those that give a row.
    private func forEachRow(
        _ keys: [Int64], of table: String, _ query: String, _ body: (Statement, _ key: Int64) throws -> Void
    ) throws {
        try readingOnce(keys.count, of: table) {
            try connection.withStatement(query) { statement in
                for key in keys {
                    statement.reset()
                    try statement.bind(key, at: 1)
                    if try statement.step() { try body(statement, key) }
                }
            }
        }
    }

    /// Runs several statements in one transaction, so the file is locked once and all see the same state.
    func readingOnce(_ statements: Int, of table: String, _ body: () throws -> Void) throws {
        guard statements > 1, !connection.isInTransaction else { return try naming(table, body) }
        try naming(table) { try connection.transaction(.deferred, body) }
    }

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        var versions: [Int64: Int64] = [:]
        guard schema.entities.indices.contains(root), let table = sql.roots[root]?.table else { return versions }
        versions.reserveCapacity(keys.count)
        try verify(table, for: .keys)
        try forEachRow(keys, of: table, "SELECT Z_OPT FROM \(table) WHERE Z_PK = ?") { statement, key in
            versions[key] = statement.integer(at: 0)
        }
        return versions
    }

    package func lastKey(root: Int) throws -> Int64 {
        try translating {
            try connection.integer(
                "SELECT IFNULL(MAX(CAST(Z_MAX AS INTEGER)), 0) FROM Z_PRIMARYKEY WHERE Z_ENT = \(root + 1)")
                ?? 0
        }
    }

    package func count(entity: Int) throws -> Int {
        guard schema.entities.indices.contains(entity) else { return 0 }
        let table = sql.entities[entity].table
        try verify(table, for: .allRows)
        let source = verifiesTables ? "NOT INDEXED " : ""
        return try naming(table) {
            Int(
                clamping: try connection.integer(
                    "SELECT COUNT(*) FROM \(table) \(source)WHERE Z_ENT = \(entity + 1)") ?? 0)
        }
    }

    package func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        let entity = schema.entities[constraint.owner]
        var columns: [String] = []
        var cells: [(StoredCell, isTagged: Bool)] = []
        // Columns whose values may be in files, and the ranges of the wanted bytes.
        var external: [(column: String, start: Int, end: Int)] = []
        for property in constraint.properties {
            let (owner, slot, isTagged) =
                switch property {
                case .attribute(let index):
                    (
                        entity.attributes[index].owner, entity.attributes[index].slot,
                        entity.attributes[index].description.allowsExternalBinaryDataStorage
                    )
                case .relationship(let index):
                    (entity.relationships[index].owner, entity.relationships[index].slot, false)
                }
            let cell = batch[row, slot]
            // NULL never equals a value, and a Decimal that the column would round is never stored.
            switch cell {
            case .null, .decimal: return []
            default: break
            }
            guard let column = layout.column(entity: owner, slot: slot) else { return [] }
            cells.append((cell, isTagged))
            if isTagged, case .blob(let start, let count) = cell {
                columns.append("(\(column) = ? OR \(ExternalData.leadsToFile(column)))")
                external.append((column, Int(start), Int(start) + Int(count)))
            } else {
                columns.append("\(try comparable(column, of: property, in: entity)) = ?")
            }
        }
        guard !columns.isEmpty else { return [] }
        let query =
            "SELECT \((["Z_PK"] + external.map(\.column)).joined(separator: ", ")) "
            + "FROM \(sql.entities[entity.index].table) WHERE \(columns.joined(separator: " AND ")) "
            + "AND Z_ENT BETWEEN \(entity.family.lowerBound + 1) AND \(entity.family.upperBound) ORDER BY Z_PK"
        return try translating {
            try connection.withStatement(query) { statement in
                try batch.bytes.withUnsafeBufferPointer { bytes in
                    for (index, cell) in cells.enumerated() {
                        try statement.bind(cell.0, bytes, isTagged: cell.isTagged, at: index + 1)
                    }
                    var keys: [Int64] = []
                    while try statement.step() {
                        let isEqual = try external.enumerated().allSatisfy { index, wanted in
                            ExternalData.matches(
                                try statement.blob(at: index + 1),
                                UnsafeBufferPointer(rebasing: bytes[wanted.start..<wanted.end]), storePath: path)
                        }
                        if isEqual { keys.append(statement.integer(at: 0)) }
                    }
                    return keys
                }
            }
        }
    }
}

extension SQLiteStore {
    /// Whether all values of a column have the storage classes of their attribute, so that SQL compares them as they
    /// are read. The result is computed once, because only other programs write other values.
    func readsAsStored(_ table: String, column: String, as form: ValueForm) throws -> Bool {
        let place = "\(table).\(column)"
        if let known = columnsReadAsStored[place] { return known }
        let found = try naming(table) {
            try form.conditions(column: column).contains { condition in
                try connection.integer("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1") != nil
            }
        }
        columnsReadAsStored[place] = !found
        return !found
    }

    /// A column of a uniqueness constraint with its values as they are read.
    private func comparable(
        _ column: String, of property: Schema.Slot, in entity: Schema.Entity
    ) throws -> String {
        guard case .attribute(let index) = property else { return column }
        let form = ValueForm(entity.attributes[index].type)
        guard try !readsAsStored(sql.entities[entity.index].table, column: column, as: form) else { return column }
        return switch form {
        case .text: "CAST(\(column) AS TEXT)"
        case .bytes: "CAST(\(column) AS BLOB)"
        case .integer, .real, .decimal, .any: column
        }
    }

    /// The number of rows in each table that belong to no concrete entity. Such rows are never read. Tables without
    /// such rows are left out.
    package func strayRows(read: [Int: Int]) throws(GranaryError) -> [(table: String, count: Int64)] {
        try converting {
            try layout.tables.compactMap { table in try naming(table.name) { try strayRows(of: table, read) } }
        }
    }

    private func strayRows(of table: EntityTable, _ read: [Int: Int]) throws -> (table: String, count: Int64)? {
        let family = schema.entities[schema.entities[table.root].family].filter { !$0.isAbstract }
        let rows = family.map { read[$0.index] }
        // The number of all rows comes from the pages. The condition would read each row.
        if !rows.contains(nil),
            rows.reduce(0, { $0 + ($1 ?? 0) })
                == Int(clamping: try connection.integer("SELECT COUNT(*) FROM \(table.name)") ?? -1)
        {
            return nil
        }
        let numbers = family.map { "\($0.number)" }.joined(separator: ", ")
        // The index of the numbers can contain others than the rows.
        let source = verifiesTables ? "NOT INDEXED " : ""
        let count = try connection.integer(
            "SELECT COUNT(*) FROM \(table.name) \(source)WHERE Z_ENT NOT IN (\(numbers)) OR Z_ENT IS NULL")
        return count.flatMap { $0 > 0 ? (table.name, $0) : nil }
    }
}
