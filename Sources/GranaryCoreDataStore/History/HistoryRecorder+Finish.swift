import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

extension HistoryRecorder {
    /// Writes the transaction and its changes into the history, unless there are no changes.
    func finish() throws {
        let transaction = try nextKey(HistoryTables.transaction)
        guard try writeChanges(transaction: transaction) else { return }
        let strings: [String?] = [
            store.transactionAuthor, Bundle.main.bundleIdentifier, store.contextName,
            ProcessInfo.processInfo.processName,
        ]
        let keys = try strings.map { text in try text.map { try stringKey($0) } }
        let sql = """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP)
            VALUES (?, \(HistoryTables.transaction.number), ?, ?, ?, ?, ?)
            """
        try connection.withStatement(sql) { statement in
            try statement.bind(transaction, at: 1)
            for (place, key) in keys.enumerated() {
                try statement.bind(key, at: place + 2)
            }
            try statement.bind(Date().timeIntervalSinceReferenceDate, at: 6)
            try statement.run()
        }
        try checkKept()
        try setLastKey(transaction, of: HistoryTables.transaction)
        store.lastRecordedTransaction = transaction
        store.openHistoryTransaction = transaction
    }

    /// Writes the changes. Returns false if there are none.
    private func writeChanges(transaction: Int64) throws -> Bool {
        let first = try nextKey(HistoryTables.change)
        var next = first
        let kept = tables.tombstoneColumns
        let tombstones = kept.indices.map { ", CASE kind WHEN \(Kind.delete.rawValue) THEN t\($0) END" }.joined()
        let insert = """
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\
            \(kept.map { ", \($0)" }.joined()))
            SELECT ?1, \(HistoryTables.change.number), kind, ?2, object, ?3, ?4\(tombstones)
            FROM \(Self.table) WHERE place = ?5
            """
        let select = """
            SELECT place, root, object, entity, kind, slots FROM \(Self.table)
            WHERE kind <> \(Kind.gone.rawValue) ORDER BY place
            """
        try connection.withStatement(select) { changes in
            try connection.withStatement(insert) { statement in
                while try changes.step() {
                    let isUpdate = changes.integer(at: 4) == Kind.update.rawValue
                    // A link may refer to an object that does not exist.
                    guard
                        let entity = try isUpdate
                            ? self.entity(root: Int(changes.integer(at: 1)), key: changes.integer(at: 2))
                            : Int(changes.integer(at: 3))
                    else { continue }
                    guard next < Int64.max else { throw noKeysLeft(HistoryTables.change) }
                    try statement.bind(next, at: 1)
                    try statement.bind(Int64(entity) + 1, at: 2)
                    try statement.bind(transaction, at: 3)
                    if isUpdate {
                        let slots = HistorySlots(bytes: try changes.blob(at: 5))
                        try statement.bind(blob: tables.entities[entity].bitmap(of: slots), at: 4)
                    } else {
                        try statement.bindNull(at: 4)
                    }
                    try statement.bind(changes.integer(at: 0), at: 5)
                    try statement.run()
                    try checkKept()
                    next += 1
                }
            }
        }
        guard next > first else { return false }
        try setLastKey(next - 1, of: HistoryTables.change)
        return true
    }

    /// Returns the key of a string, and inserts the string if it is new.
    private func stringKey(_ text: String) throws -> Int64 {
        let known: Int64? = try connection.withStatement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?") {
            statement in
            try statement.bind(text, at: 1)
            return try statement.step() ? statement.integer(at: 0) : nil
        }
        if let known { return known }
        let key = try nextKey(HistoryTables.string)
        let sql =
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, \(HistoryTables.string.number), ?)"
        try connection.withStatement(sql) { statement in
            try statement.bind(key, at: 1)
            try statement.bind(text, at: 2)
            try statement.run()
        }
        try checkKept()
        try setLastKey(key, of: HistoryTables.string)
        return key
    }

    // MARK: Keys

    private func nextKey(_ table: HistoryTables.Table) throws -> Int64 {
        let (next, overflow) = try store.lastHistoryKey(table).addingReportingOverflow(1)
        guard !overflow, next < Int64.max else { throw noKeysLeft(table) }
        return next
    }

    /// Sets the last key of a table. An unused history may have no row in `Z_PRIMARYKEY`
    /// (docs/core-data/sqlite-layout.md#rows-of-the-history-in-z_primarykey).
    private func setLastKey(_ key: Int64, of table: HistoryTables.Table) throws {
        let sql = """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)
            VALUES (\(table.number), '\(table.entity)', 0, ?1) ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?1
            """
        try connection.run(sql, [key])
    }

    /// Checks that an insert added a row. Without this check, a table that discards rows would silently lose changes.
    private func checkKept() throws {
        guard connection.changes == 1 else {
            throw GranaryError(
                Diagnostic(
                    .storeLayout, "\(store.path): a table of its persistent history did not keep an inserted row"))
        }
    }

    private func noKeysLeft(_ table: HistoryTables.Table) -> GranaryError {
        GranaryError(.refused, "\(store.path): there are no keys left for the persistent history (\(table.name))")
    }
}
