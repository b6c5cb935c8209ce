package import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Whether it has a persistent history, which every transaction then continues.
    package var tracksHistory: Bool { history != nil }

    /// Takes up the history that a file has; makes one where it has none and `tracksHistory` asks for it.
    func openHistory(_ present: PresentTables, tracksHistory: Bool) throws {
        history = HistoryTables(schema: schema, present: present)
        guard tracksHistory, history == nil, !isReadOnly else { return }
        try connection.transaction(.immediate) {
            // Another process may have been faster.
            let now = try PresentTables(connection, try connection.schema())
            if let history = HistoryTables(schema: schema, present: now) {
                self.history = history
            } else {
                try createHistory()
            }
        }
    }

    /// Makes the tables of an empty history, inside a transaction.
    func createHistory() throws {
        let tables = HistoryTables(schema: schema)
        for statement in tables.creationSQL() { try connection.execute(statement) }
        history = tables
    }

    /// The number of the last transaction of the history, 0 where there is none yet; nil without a history.
    ///
    /// It is the store's, whoever wrote it: two that have opened one file get the same.
    package func lastHistoryTransaction() throws(GranaryError) -> Int64? {
        guard tracksHistory else { return nil }
        return try converting { try lastHistoryKey(HistoryTables.transaction) }
    }

    /// The last key that was given out; it stays when rows are removed.
    func lastHistoryKey(_ table: HistoryTables.Table) throws -> Int64 {
        let query = """
            SELECT MAX(0, IFNULL((SELECT CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.number)), 0),
                IFNULL((SELECT MAX(Z_PK) FROM \(table.name)), 0))
            """
        return try connection.withStatement(query) { try $0.step() ? $0.integer(at: 0) : 0 }
    }

    /// Removes the transactions before one, which itself stays, so that its token stays good.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package func deleteHistory(before number: Int64) throws(GranaryError) -> Int {
        try deleteHistory("Z_PK < ?") { try $0.bind(number, at: 1) }
    }

    /// Removes the transactions that are older than a date.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package func deleteHistory(before date: Date) throws(GranaryError) -> Int {
        // Nothing behind one that stays, should the clock have gone back: a token could not tell that it is missing.
        try deleteHistory(
            "Z_PK < IFNULL((SELECT MIN(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP >= ?), 9223372036854775807)"
        ) { try $0.bind(date.timeIntervalSinceReferenceDate, at: 1) }
    }

    private func deleteHistory(
        _ condition: String, _ bind: (Statement) throws -> Void
    ) throws(GranaryError) -> Int {
        guard tracksHistory else { return 0 }
        guard !isReadOnly else {
            throw GranaryError(.usage, "\(path): the store was opened for reading only")
        }
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
