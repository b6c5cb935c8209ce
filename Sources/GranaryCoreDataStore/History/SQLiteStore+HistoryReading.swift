import Foundation
package import GranaryBase
package import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranarySQLite

extension SQLiteStore: HistoryReading {
    package var historySource: String { path }

    package func historyTransactions(
        after number: Int64, limit: Int, of identity: StoreIdentity
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        try readHistory(after: number, limit: limit, of: identity)
    }

    package func firstHistoryTransaction() throws -> Int64? {
        try connection.integer("SELECT MIN(Z_PK) FROM ATRANSACTION")
    }

    package func historyChanges(
        of transaction: Int64, _ identity: StoreIdentity
    ) throws -> [PersistentHistoryChange] {
        guard let history else { return [] }
        let columns =
            (["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", history.hasColumns ? "ZCOLUMNS" : "NULL"]
            + history.tombstoneColumns).joined(separator: ", ")
        return try connection.withStatement("SELECT \(columns) FROM ACHANGE WHERE ZTRANSACTIONID = ? ORDER BY Z_PK") {
            statement in
            try statement.bind(transaction, at: 1)
            var found: [PersistentHistoryChange] = []
            while try statement.step() {
                if let change = try change(statement, history, identity) { found.append(change) }
            }
            return found
        }
    }

    private func change(
        _ statement: Statement, _ history: HistoryTables, _ identity: StoreIdentity
    ) throws -> PersistentHistoryChange? {
        let number = statement.integer(at: 2)
        guard number >= 1, number <= Int64(schema.entities.count),
            let kind = PersistentHistoryChange.Kind(rawValue: Int(clamping: statement.integer(at: 1)))
        else { return nil }
        let entity = Int(number) - 1
        let isKnown = kind == .update && statement.type(at: 4) == .blob
        return try PersistentHistoryChange(
            changeID: statement.integer(at: 0), changeType: kind,
            changedObjectID: ManagedObjectID(origin: identity, entity: entity, key: statement.integer(at: 3)),
            updatedProperties: isKnown ? history.entities[entity].names(in: statement.blob(at: 4)) : nil,
            tombstone: kind == .delete ? tombstone(statement, history, entity) : [:])
    }

    /// The values of a deleted object. They are stored as in the attributes' columns; other values are left out.
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

    package func historyHeaders(after number: Int64, limit: Int) throws -> [PersistentHistoryTransaction] {
        let names = (history?.texts ?? []).map { "substr(\($0), 1, 4096)" }
        let query =
            "SELECT t.Z_PK, t.ZTIMESTAMP, \(names.joined(separator: ", ")) FROM ATRANSACTION t "
            + "WHERE t.Z_PK > ? ORDER BY t.Z_PK LIMIT ?"
        return try connection.withStatement(query) { statement in
            try statement.bind(number, at: 1)
            try statement.bind(Int64(max(0, limit)), at: 2)
            var found: [PersistentHistoryTransaction] = []
            while try statement.step() {
                found.append(
                    PersistentHistoryTransaction(
                        transactionNumber: statement.integer(at: 0), storeID: identifier,
                        timestamp: Date(timeIntervalSinceReferenceDate: statement.double(at: 1)),
                        author: try statement.string(at: 2), contextName: try statement.string(at: 3),
                        bundleID: try statement.string(at: 4), processID: try statement.string(at: 5)))
            }
            return found
        }
    }

    package func changeCount(of transaction: Int64) throws -> Int {
        let count = try connection.integer("SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID = ?", transaction)
        return Int(clamping: count ?? 0)
    }
}
