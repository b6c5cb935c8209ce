package import GranaryBase
package import GranaryCoordination
package import GranaryModel
import GranarySQLite

extension SQLiteStore {
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        guard !connection.isInTransaction else { return try body() }
        return try converting { try connection.transaction(.deferred, body) }
    }

    package func read(
        entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        guard let first = entities.first, let reader = reader(of: first) else { return }
        var last: Int64?
        let scan = try converting {
            try TableScan(
                connection, table: reader.plan.table, key: RowReader.keyColumn, columns: reader.columnNames)
        }
        if let scan {
            switch try readBatches(scan, reader, entities, batchSize: batchSize, body) {
            case .end: return
            case .stopped(let key): last = key
            }
        }
        var condition = "WHERE Z_ENT BETWEEN \(first + 1) AND \(entities.upperBound)"
        if let last { condition += " AND Z_PK > \(last)" }
        try translating {
            try connection.withStatement("\(reader.plan.select) \(condition) ORDER BY Z_PK") { statement in
                try readBatches(statement, reader, batchSize: batchSize, body)
            }
        }
    }

    private enum ScanEnd {
        /// All rows were read, or `body` has stopped.
        case end
        /// A statement must read the rows after this key; nil for all rows.
        case stopped(Int64?)
    }

    /// Reads the rows of a table scan in batches.
    private func readBatches(
        _ scan: TableScan, _ reader: RowReader, _ entities: Range<Int>, batchSize: Int,
        _ body: (inout RowBatch) throws -> Bool
    ) throws -> ScanEnd {
        var batch = RowBatch()
        var last: Int64?
        loop: while true {
            switch scan.next() {
            case .end: break loop
            case .stopped:
                if !batch.isEmpty, try !body(&batch) { return .end }
                return .stopped(last)
            case .row: break
            }
            guard try reader.append(scan, entities: entities, to: &batch) else {
                if !batch.isEmpty, try !body(&batch) { return .end }
                return .stopped(last)
            }
            last = scan.rowID
            if batch.rows.count >= max(1, batchSize) || batch.bytes.count >= Self.batchBytes {
                guard try body(&batch) else { return .end }
                batch.removeAll()
            }
        }
        if !batch.isEmpty { _ = try body(&batch) }
        return .end
    }

    /// Reads the rows of a statement in batches; `body` returns false to stop.
    func readBatches(
        _ statement: Statement, _ reader: RowReader, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        var batch = RowBatch()
        while try statement.step() {
            try reader.append(statement, to: &batch)
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
        let condition = "WHERE Z_PK > ? AND Z_ENT BETWEEN \(first + 1) AND \(entities.upperBound) ORDER BY Z_PK"
        try translating {
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
        try forEachRow(keys, "\(reader.plan.select) WHERE Z_PK = ?") { statement, _ in
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
        _ keys: [Int64], _ query: String, _ body: (Statement, _ key: Int64) throws -> Void
    ) throws {
        try readingOnce(keys.count) {
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
    private func readingOnce(_ statements: Int, _ body: () throws -> Void) throws {
        guard statements > 1, !connection.isInTransaction else { return try translating(body) }
        try translating { try connection.transaction(.deferred, body) }
    }

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        var versions: [Int64: Int64] = [:]
        guard schema.entities.indices.contains(root), let table = sql.roots[root]?.table else { return versions }
        versions.reserveCapacity(keys.count)
        try forEachRow(keys, "SELECT Z_OPT FROM \(table) WHERE Z_PK = ?") { statement, key in
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
        return try translating {
            Int(clamping: try connection.integer("SELECT COUNT(*) FROM \(table) WHERE Z_ENT = \(entity + 1)") ?? 0)
        }
    }

    package func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        guard let query = linkQuery(relationship, isForOneOwner: owners != nil) else { return }
        try readingOnce(owners?.count ?? 1) {
            try connection.withStatement(query) { statement in
                guard let owners else { return try readLinks(statement, body) }
                for owner in Set(owners).sorted() {
                    statement.reset()
                    try statement.bind(owner, at: 1)
                    try readLinks(statement, body)
                }
            }
        }
    }

    private func readLinks(_ statement: Statement, _ body: (Link) throws -> Void) throws {
        // Join tables of old frameworks have no primary key, so they may contain a link twice.
        var last: (owner: Int64, destination: Int64)?
        while try statement.step() {
            let (owner, destination) = (statement.integer(at: 0), statement.integer(at: 2))
            if let last, last == (owner, destination) { continue }
            last = (owner, destination)
            let number = statement.integer(at: 1)
            guard number >= 1, number <= Int64(schema.entities.count) else {
                throw GranaryError(
                    Diagnostic(
                        .storeCorrupt,
                        "\(path): the row with Z_PK \(destination) belongs to no entity of the model (Z_ENT \(number))")
                )
            }
            try body(Link(owner: owner, entity: Int(number) - 1, destination: destination))
        }
    }

    /// The query for links. Objects without an order key come last, sorted by their keys.
    private func linkQuery(_ relationship: Schema.Relationship, isForOneOwner: Bool) -> String? {
        switch layout.linkPlace(of: relationship) {
        case .foreignKey(let table, let column, _, let order)?:
            let sort = ([column] + [order].compactMap { $0.map { "\($0) NULLS LAST" } } + ["Z_PK"])
            return "SELECT \(column), Z_ENT, Z_PK FROM \(layout.tables[table].name) WHERE "
                + (isForOneOwner ? "\(column) = ?" : "\(column) IS NOT NULL") + memberCondition(relationship)
                + " ORDER BY \(sort.joined(separator: ", "))"
        case .join(let table, let owner, let destination, let order)?:
            let join = layout.joinTables[table].name
            let other = layout.tableName(of: relationship.destination)
            let sort =
                ["j.\(owner)"] + [order].compactMap { $0.map { "j.\($0) NULLS LAST" } } + ["j.\(destination)"]
            return "SELECT j.\(owner), d.Z_ENT, j.\(destination) FROM \(join) j JOIN \(other) d ON d.Z_PK = "
                + "j.\(destination) " + (isForOneOwner ? "WHERE j.\(owner) = ? " : "")
                + "ORDER BY \(sort.joined(separator: ", "))"
        case nil: return nil
        }
    }

    /// An additional WHERE term that selects rows of the relationship's member entity; empty if all rows of the table
    /// qualify. Rows of sibling entities may have values from an earlier model in the column. Core Data never reads
    /// them.
    private func memberCondition(_ relationship: Schema.Relationship) -> String {
        let entity = schema.entities[relationship.memberEntity]
        guard entity.superentity != nil else { return "" }
        return " AND Z_ENT BETWEEN \(entity.family.lowerBound + 1) AND \(entity.family.upperBound)"
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
                columns.append("\(column) = ?")
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
    /// The number of rows in each table that belong to no concrete entity. Such rows are never read. Tables without
    /// such rows are left out.
    package func strayRows(read: [Int: Int]) throws(GranaryError) -> [(table: String, count: Int64)] {
        try converting {
            try layout.tables.compactMap { table in
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
                let count = try connection.integer(
                    "SELECT COUNT(*) FROM \(table.name) WHERE Z_ENT NOT IN (\(numbers)) OR Z_ENT IS NULL")
                return count.flatMap { $0 > 0 ? (table.name, $0) : nil }
            }
        }
    }
}
