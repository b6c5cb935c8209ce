import Foundation
package import GranaryBase
package import GranaryCoordination
import GranaryModel
import GranarySQLite

extension SQLiteStore {
    /// The transactions after one, oldest first, with their changes.
    ///
    /// Fewer than `limit` come where there are no more, or where another one would make more than
    /// ``StoredHistoryTransaction/changeLimit`` changes: ask again after the last one until none come.
    ///
    /// - Parameter number: the last one that is known; 0 for all that the store still has.
    /// - Throws: ``GranaryError``: `refused` with `history.expired` when transactions after that one were removed, or
    ///   the store never had it (another copy of the store did); with `limit.exceeded` when a single transaction has more
    ///   than ``StoredHistoryTransaction/changeLimit`` changes, which ``readHistoryChanges(of:_:)`` gives one by one; `usage` without a
    ///   history.
    package func historyTransactions(
        after number: Int64, limit: Int = 100
    ) throws(GranaryError) -> [StoredHistoryTransaction] {
        try converting {
            try reading {
                try checkHistory(reachesBackTo: number)
                var room = StoredHistoryTransaction.changeLimit
                var found: [StoredHistoryTransaction] = []
                for header in try historyHeaders(after: number, limit: limit) {
                    var transaction = header
                    let count = try changeCount(of: header.number)
                    guard count <= room else {
                        guard found.isEmpty else { break }
                        throw GranaryError(
                            Diagnostic(
                                .limitExceeded,
                                "\(path): transaction \(header.number) has \(count) changes, and the limit is "
                                    + "\(StoredHistoryTransaction.changeLimit)"))
                    }
                    room -= count
                    try readHistoryChanges(of: header.number) {
                        transaction.changes.append($0)
                        return true
                    }
                    found.append(transaction)
                }
                return found
            }
        }
    }

    /// Hands out the changes of a transaction one by one, until `body` returns false.
    ///
    /// Changes of entities that the model does not have, from before a migration, are left out.
    package func readHistoryChanges(of transaction: Int64, _ body: (StoredHistoryChange) throws -> Bool) throws {
        guard let history else { return }
        let columns =
            (["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"] + history.tombstoneColumns)
            .joined(separator: ", ")
        try translating {
            try connection.withStatement("SELECT \(columns) FROM ACHANGE WHERE ZTRANSACTIONID = ? ORDER BY Z_PK") {
                statement in
                try statement.bind(transaction, at: 1)
                while try statement.step() {
                    guard let change = try self.change(statement, history) else { continue }
                    guard try body(change) else { return }
                }
            }
        }
    }

    private func change(_ statement: Statement, _ history: HistoryTables) throws -> StoredHistoryChange? {
        let number = statement.integer(at: 2)
        guard number >= 1, number <= Int64(schema.entities.count),
            let kind = PersistentHistoryChange.Kind(rawValue: Int(clamping: statement.integer(at: 1)))
        else { return nil }
        let entity = Int(number) - 1
        let isKnown = kind == .update && statement.type(at: 4) == .blob
        return try StoredHistoryChange(
            number: statement.integer(at: 0), kind: kind, entity: entity, key: statement.integer(at: 3),
            updated: isKnown ? history.entities[entity].names(in: statement.blob(at: 4)) : nil,
            tombstone: kind == .delete ? tombstone(statement, history, entity) : [:])
    }

    /// The values are in the form that the attributes' own columns have; what is not is left out.
    private func tombstone(
        _ statement: Statement, _ history: HistoryTables, _ entity: Int
    ) throws -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        var batch = RowBatch()
        batch.appendRow(entity: entity, key: 0, version: 0, slotCount: schema.entities[entity].slotCount)
        for (place, attribute) in history.entities[entity].tombstones.prefix(history.tombstoneCount).enumerated() {
            let column = place + 5
            switch statement.type(at: column) {
            case .null: continue
            case .integer: batch[0, attribute.slot] = .integer(statement.integer(at: column))
            case .real: batch[0, attribute.slot] = .real(statement.double(at: column))
            case .text:
                batch.bytes = Array(try statement.text(at: column))
                batch[0, attribute.slot] = .text(start: 0, count: UInt32(clamping: batch.bytes.count))
            case .blob:
                batch.bytes = Array(try statement.blob(at: column))
                batch[0, attribute.slot] = .blob(start: 0, count: UInt32(clamping: batch.bytes.count))
            }
            if let value = try? batch.value(row: 0, of: attribute) { values[attribute.name] = value }
        }
        return values
    }

    /// Where the plain columns are empty, as in all stores known, the strings stand in their own table.
    private func historyHeaders(after number: Int64, limit: Int) throws -> [StoredHistoryTransaction] {
        let fields = ["ZAUTHOR", "ZCONTEXTNAME", "ZBUNDLEID", "ZPROCESSID"]
        // A name as long as a book would be copied for every transaction.
        let names = fields.map {
            "substr(IFNULL((SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\($0)TS), t.\($0)), 1, 4096)"
        }
        let query =
            "SELECT t.Z_PK, t.ZTIMESTAMP, \(names.joined(separator: ", ")) FROM ATRANSACTION t "
            + "WHERE t.Z_PK > ? ORDER BY t.Z_PK LIMIT ?"
        return try connection.withStatement(query) { statement in
            try statement.bind(number, at: 1)
            try statement.bind(Int64(max(0, limit)), at: 2)
            var found: [StoredHistoryTransaction] = []
            while try statement.step() {
                found.append(
                    StoredHistoryTransaction(
                        number: statement.integer(at: 0),
                        timestamp: Date(timeIntervalSinceReferenceDate: statement.double(at: 1)),
                        author: try statement.string(at: 2), contextName: try statement.string(at: 3),
                        bundleID: try statement.string(at: 4), processID: try statement.string(at: 5)))
            }
            return found
        }
    }

    private func changeCount(of transaction: Int64) throws -> Int {
        try connection.withStatement("SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID = ?") { statement in
            try statement.bind(transaction, at: 1)
            return try statement.step() ? Int(clamping: statement.integer(at: 0)) : 0
        }
    }

    /// Keys may have gaps: a transaction that Core Data takes back has had its key. So a number counts as removed
    /// only where all that is left is later.
    private func checkHistory(reachesBackTo number: Int64) throws {
        guard tracksHistory else {
            throw GranaryError(.usage, "\(path): the store has no persistent history")
        }
        guard number > 0 else { return }
        let last = try lastHistoryKey(HistoryTables.transaction)
        let first = try connection.integer("SELECT MIN(Z_PK) FROM ATRANSACTION") ?? Int64.max
        guard number > last || (number < last && number + 1 < first) else { return }
        throw GranaryError(
            Diagnostic(
                .historyExpired,
                number > last
                    ? "\(path): the token is of transaction \(number), which this store does not have; its last one is \(last)"
                    : "\(path): the transactions after \(number) were removed from the persistent history; take all objects "
                        + "as changed",
                coreDataCode: 134_301))
    }
}
