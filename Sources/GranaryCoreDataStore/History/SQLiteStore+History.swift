package import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Whether the store has a persistent history. Every transaction then adds to it.
    package var tracksHistory: Bool { history != nil }

    /// Opens the file's history, or creates one if there is none and `tracksHistory` is true.
    func openHistory(_ present: PresentTables, tracksHistory: Bool) throws {
        history = HistoryTables(schema: schema, present: present)
        guard tracksHistory, history == nil, !isReadOnly else { return }
        try connection.transaction(.immediate) {
            // Another process may have created the history in the meantime.
            let now = try PresentTables(connection, try connection.schema())
            if let history = HistoryTables(schema: schema, present: now) {
                self.history = history
            } else {
                try createHistory()
            }
        }
    }

    /// Creates the tables of an empty history, or gives keys to those of ``createUnusedHistory()``, inside a transaction.
    func createHistory() throws {
        let tables = HistoryTables(schema: schema)
        let arePresent = HistoryTables.arePresent(try PresentTables(connection, try connection.schema()))
        for statement in tables.creationSQL() where !arePresent || !statement.hasPrefix("CREATE") {
            try connection.execute(statement)
        }
        history = tables
    }

    /// Creates the tables that SwiftData's stores have from the start, inside a transaction. What this connection writes
    /// before the store is published is not recorded: it is the content of a new store, not a change.
    func createUnusedHistory() throws {
        for statement in HistoryTables(schema: schema).creationSQL(isUsed: false) { try connection.execute(statement) }
    }

    /// The number of the last transaction in the history, by any process; 0 if there is none yet, nil without a
    /// history.
    package func lastHistoryTransaction() throws(GranaryError) -> Int64? {
        guard tracksHistory else { return nil }
        return try converting { try lastHistoryKey(HistoryTables.transaction) }
    }

    /// The last allocated key. It does not decrease when rows are removed.
    func lastHistoryKey(_ table: HistoryTables.Table) throws -> Int64 {
        let query = """
            SELECT MAX(0, IFNULL((SELECT CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.number)), 0),
                IFNULL((SELECT MAX(Z_PK) FROM \(table.name)), 0))
            """
        return try connection.integer(query) ?? 0
    }

    /// Removes the transactions before a number. The transaction with the number remains, so its token remains valid.
    ///
    /// - Returns: the number of removed transactions.
    @discardableResult
    package func deleteHistory(before number: Int64) throws(GranaryError) -> Int {
        try deleteHistory("Z_PK < ?") { try $0.bind(number, at: 1) }
    }

    /// Removes the transactions before a date.
    ///
    /// - Returns: the number of removed transactions.
    @discardableResult
    package func deleteHistory(before date: Date) throws(GranaryError) -> Int {
        // If the clock was set back, transactions after one that remains are kept: tokens cannot show such a gap.
        try deleteHistory(
            "Z_PK < IFNULL((SELECT MIN(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP >= ?), 9223372036854775807)"
        ) { try $0.bind(date.timeIntervalSinceReferenceDate, at: 1) }
    }

    private func deleteHistory(
        _ condition: String, _ bind: (Statement) throws -> Void
    ) throws(GranaryError) -> Int {
        guard tracksHistory else { return 0 }
        try checkWritable()
        return try converting {
            try connection.transaction(.immediate) {
                let transactions = "ATRANSACTION WHERE \(condition)"
                for statement in [
                    "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM \(transactions))",
                    "DELETE FROM \(transactions)",
                ] {
                    try connection.withStatement(statement) { statement in
                        try bind(statement)
                        try statement.run()
                    }
                }
                return Int(clamping: connection.changes)
            }
        }
    }
}
