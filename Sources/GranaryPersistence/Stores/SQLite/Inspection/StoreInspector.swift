import Foundation
package import GranaryBase
package import GranaryModel
import GranarySQLite

/// Looks into a store without changing it, also where its model is not at hand.
///
/// Not `Sendable`: it holds a connection.
package final class StoreInspector {
    private let connection: Connection
    private let metadata: StoreMetadata

    /// The entities of Core Data's own, such as those of the persistent history, have numbers from here on.
    private static let firstInternalNumber = 16_001
    /// How many entities are looked at. The largest model known has about 300.
    private static let entityLimit = 16_000

    /// Opens a store for reading.
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` when it is no Core Data store, `busy` when
    ///   another process holds it longer than `busyTimeout`.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws(GranaryError) {
        let (connection, metadata) = try converting {
            let connection = try Connection.reading(path: path, busyTimeout: busyTimeout)
            return (connection, try StoreMetadata.read(connection, try connection.schema()))
        }
        self.connection = connection
        self.metadata = metadata
    }

    /// Why a copy of the store is looked into; nil where it is the store itself.
    package var snapshotNote: String? { connection.snapshotNote }

    /// What SQLite itself finds wrong with the file; empty when it is sound.
    package func integrityProblems() throws(GranaryError) -> [String] {
        try converting {
            let statement = try connection.prepare("PRAGMA integrity_check(100)")
            var found: [String] = []
            while try statement.step() {
                if let line = try statement.string(at: 0), line != "ok" { found.append(line) }
            }
            return found
        }
    }

    /// - Parameter schema: the store's model, where it is known.
    package func summary(schema: Schema? = nil) throws(GranaryError) -> StoreSummary {
        try converting {
            try connection.transaction(.deferred) {
                var summary = StoreSummary(
                    identifier: metadata.identifier, frameworkVersion: metadata.frameworkVersion)
                let tables = Set(try connection.tables())
                try addEntities(to: &summary, schema: schema, tables: tables)
                summary.pragmas.append(("journal_mode", try connection.journalMode() ?? ""))
                for name in ["page_size", "page_count", "auto_vacuum", "encoding", "user_version"] {
                    summary.pragmas.append((name, try connection.text(pragma: name) ?? ""))
                }
                if tables.contains("ATRANSACTION") {
                    summary.historyTransactions = Int(try connection.integer("SELECT COUNT(*) FROM ATRANSACTION") ?? 0)
                }
                addRuns(to: &summary)
                addLogWarning(to: &summary)
                for difference in schema.map(metadata.differences) ?? [] {
                    summary.remarks.append("\(difference.entity ?? ""): \(difference.message)")
                }
                return summary
            }
        }
    }

    /// One row of `Z_PRIMARYKEY`.
    private struct EntityRow {
        let number: Int
        let name: String
        let parent: Int
        let lastKey: Int64
    }

    private func entityRows() throws -> [EntityRow] {
        let sql = """
            SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 0 AND Z_ENT < \(Self.firstInternalNumber)
            ORDER BY Z_ENT LIMIT \(Self.entityLimit)
            """
        let statement = try connection.prepare(sql)
        var rows: [EntityRow] = []
        while try statement.step() {
            rows.append(
                EntityRow(
                    number: Int(statement.integer(at: 0)), name: try statement.string(at: 1) ?? "",
                    parent: Int(clamping: statement.integer(at: 2)), lastKey: statement.integer(at: 3)))
        }
        return rows
    }

    private func addEntities(to summary: inout StoreSummary, schema: Schema?, tables: Set<String>) throws {
        let all = try entityRows()
        let byNumber = Dictionary(all.map { ($0.number, $0) }) { first, _ in first }
        var seen: Set<Int> = []
        let rows = all.filter { seen.insert($0.number).inserted }
        if rows.count < all.count { summary.problems.append("Z_PRIMARYKEY has several rows for one entity number") }
        var counts: [Int: Int] = [:]
        var missing: Set<Int> = []
        var roots: [Int: Int] = [:]
        for row in rows { roots[row.number] = root(of: row, byNumber, known: roots) }
        for row in rows where roots[row.number] == row.number {
            let table = "Z" + row.name.uppercased()
            guard tables.contains(table) else {
                summary.problems.append("the table \(table) of \(row.name) is missing")
                missing.insert(row.number)
                continue
            }
            try count(table, row, roots, &counts, &summary)
        }
        let hashes = metadata.versionHashes
        for row in rows {
            let root = roots[row.number] ?? row.number
            summary.entities.append(
                .init(
                    name: row.name, number: row.number, parent: byNumber[row.parent]?.name,
                    isAbstract: schema?.entity(named: row.name)?.isAbstract,
                    count: missing.contains(root) ? nil : counts[row.number, default: 0], hash: hashes[row.name]))
        }
    }

    /// The top of an entity's hierarchy by number. Damaged stores may have circles: a walk ends after as many steps as
    /// there are entities.
    private func root(of row: EntityRow, _ byNumber: [Int: EntityRow], known: [Int: Int]) -> Int {
        var row = row
        for _ in byNumber {
            if let root = known[row.number] { return root }
            guard row.parent != 0, let parent = byNumber[row.parent] else { return row.number }
            row = parent
        }
        return row.number
    }

    private func count(
        _ table: String, _ root: EntityRow, _ roots: [Int: Int], _ counts: inout [Int: Int],
        _ summary: inout StoreSummary
    ) throws {
        let name = SQL.quoteIdentifier(table)
        let statement = try connection.prepare("SELECT Z_ENT, COUNT(*), MAX(Z_PK) FROM \(name) GROUP BY Z_ENT")
        var lastKey: Int64 = 0
        while try statement.step() {
            let number = Int(clamping: statement.integer(at: 0))
            let rows = Int(statement.integer(at: 1))
            lastKey = max(lastKey, statement.integer(at: 2))
            if roots[number] == root.number {
                counts[number] = rows
            } else {
                summary.problems.append(
                    "\(table) has \(rows) row\(rows == 1 ? "" : "s") of Z_ENT \(number), which is none of its entities")
            }
        }
        if lastKey > root.lastKey {
            summary.problems.append(
                "\(root.name): Z_MAX \(root.lastKey) is lower than the largest key \(lastKey), which would be given again"
            )
        }
    }

    private func addRuns(to summary: inout StoreSummary) {
        let ledger = metadata.importLedger
        summary.droppedRuns = ledger.droppedRuns
        summary.runs = ledger.runs.map { run in
            var run = run
            run.isRevertible = run.canBeReverted(inStore: connection.path)
            return run
        }
        if let problem = ledger.problem { summary.remarks.append(problem) }
    }

    private func addLogWarning(to summary: inout StoreSummary) {
        let path = connection.path + "-wal"
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
        guard let size, size.int64Value > 0 else { return }
        summary.remarks.append(
            "a write-ahead log of \(size) bytes lies beside the store and belongs to it; copy both, or checkpoint first"
        )
    }
}
