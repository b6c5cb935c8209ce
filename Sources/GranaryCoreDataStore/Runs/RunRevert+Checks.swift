import GranaryBase
import GranaryCoordination
import GranarySQLite

extension RunRevert {
    static let metadataTable = "Z_METADATA"
    static let keyTable = "Z_PRIMARYKEY"
    private static let historyTables = Set(HistoryTables.all.map(\.name))

    static func isBookkeeping(_ table: String) -> Bool {
        historyTables.contains(table) || StoreLayout.bookkeepingTables.contains(table)
    }

    /// Compares the rows of a table with their state after the run.
    func check(_ table: RecordedTable) throws {
        guard table.name != Self.metadataTable else { return }
        if table.name == HistoryTables.string.name { try keepUsedStrings(table) }
        let staying = kept[table.name] ?? []
        var image = RowImage()
        try images.forEachRow(of: table) { row, isNew in
            let id = row.id
            let now = try isNew ? fingerprint(of: id, table) : digest(of: id, table, &image)
            guard now != row.after, !staying.contains(id) else { return }
            // The history was trimmed after the run; the revert would remove the row anyway.
            if now == nil, row.before == nil, Self.historyTables.contains(table.name) { return }
            if let before = row.before {
                if table.name == Self.keyTable, try hasRisen(before, table) {
                    self.kept[table.name, default: []].insert(id)
                    return
                }
                if let after = row.after, try wasOnlyRaised(before, table, after, &image) {
                    self.kept[table.name, default: []].insert(id)
                    return
                }
            }
            refusal.addChange(
                of: name(id, table), isGone: now == nil, wasGone: row.after == nil, entity: entity(row.before, table))
        }
    }

    /// Whether the run only raised a row's version, because a link to the object changed. The row then stays as it is,
    /// even if it has changed since.
    private func wasOnlyRaised(
        _ row: Statement, _ table: RecordedTable, _ after: [UInt8], _ image: inout RowImage
    ) throws -> Bool {
        guard table.columns.first == "Z_PK",
            let version = table.columns.firstIndex(of: "Z_OPT")
        else { return false }
        return try image.digest(row, 3..<table.columns.count + 3, raising: version + 3) == after
    }

    /// Whether a row of `Z_PRIMARYKEY` differs only by a higher `Z_MAX`: keys allocated after the run stay allocated.
    private func hasRisen(_ row: Statement, _ table: RecordedTable) throws -> Bool {
        guard let last = table.columns.firstIndex(of: "Z_MAX") else { return false }
        return try connection.withStatement(table.select) { now in
            try now.bind(row.integer(at: 0), at: 1)
            guard try now.step(), now.type(at: last + 1) == .integer,
                now.integer(at: last + 1) >= row.integer(at: last + 3)
            else { return false }
            var (left, right) = (RowImage(), RowImage())
            for column in table.columns.indices where column != last {
                try left.read(now, column + 1..<column + 2)
                try right.read(row, column + 3..<column + 4)
                guard left.bytes == right.bytes else { return false }
            }
            return true
        }
    }

    /// Keeps strings that the run added to the history if other transactions use them, and the last key of their table.
    private func keepUsedStrings(_ table: RecordedTable) throws {
        var own: Set<Int64> = []
        if let transactions = tables.first(where: { $0.name == HistoryTables.transaction.name }) {
            try images.forEachRow(of: transactions) { row, _ in own.insert(row.id) }
        }
        let users = """
            SELECT Z_PK FROM ATRANSACTION WHERE ?1 IN (ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS)
            """
        try images.forEachRow(of: table) { row, _ in
            guard row.before == nil else { return }
            let isUsed: Bool = try connection.withStatement(users) { statement in
                try statement.bind(row.id, at: 1)
                while try statement.step() {
                    if !own.contains(statement.integer(at: 0)) { return true }
                }
                return false
            }
            guard isUsed else { return }
            kept[table.name, default: []].insert(row.id)
            kept[Self.keyTable, default: []].insert(HistoryTables.string.number)
        }
    }

    /// Checks the references after the rows are restored: no row may refer to a removed row, and restored rows may not
    /// have more dangling references than before the run.
    func checkReferences() throws {
        for reference in try images.references() {
            guard let source = tablesByNumber[reference.source],
                let destination = tablesByNumber[reference.destination],
                source.columns.contains(reference.column)
            else {
                throw GranaryError(
                    Diagnostic(.storeCorrupt, "\(folder.database): names a column that the store lacks"))
            }
            let column = "t." + SQL.quoteIdentifier(reference.column)
            let referring = try connection.prepare(
                """
                SELECT t.\(source.rowID), \(column) FROM \(source.quotedName) t WHERE EXISTS
                (SELECT 1 FROM \(Self.goneTable) g WHERE g.source = \(destination.number) AND g.id = \(column))
                """)
            while try referring.step() {
                refusal.addReference(
                    from: "\(source.name) \(referring.integer(at: 0))", by: reference.column,
                    to: referring.integer(at: 1))
            }
            let dangling = try connection.integer(
                """
                SELECT COUNT(*) FROM \(Self.restoredTable) r JOIN \(source.quotedName) t ON t.\(source.rowID) = r.id
                WHERE r.source = \(source.number) AND \(column) IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM \(destination.quotedName) d WHERE d.\(destination.rowID) = \(column))
                """)
            if let dangling, dangling > reference.dangling {
                refusal.addDangling(dangling - reference.dangling, of: source.name, by: reference.column)
            }
        }
    }

    // MARK: Names

    /// The name of a row in messages: `p5` for an object, the table and the rowid for other rows.
    func name(_ id: Int64, _ table: RecordedTable) -> String {
        Self.isBookkeeping(table.name) || table.columns.first != "Z_PK" ? "\(table.name) \(id)" : "p\(id)"
    }

    /// The entity's name for messages: from the row before the run, or from the table if there was none.
    func entity(_ before: Statement?, _ table: RecordedTable) -> String? {
        guard !Self.isBookkeeping(table.name), table.columns.first == "Z_PK" else { return nil }
        if let before, let place = table.columns.firstIndex(of: "Z_ENT"),
            let name = entities[before.integer(at: place + 3)]
        {
            return name
        }
        return entities.values.filter { "Z" + $0.uppercased() == table.name }.min()
    }
}
