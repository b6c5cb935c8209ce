import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Records the changes of a transaction in all tables, so that the run can be reverted (``RunRevert``).
///
/// Temporary triggers copy each row into a temporary table before its first change. Savepoints roll that table back
/// too. Rows with higher rowids than before the transaction (``RecordedTable/lastRow``) are new and need no trigger.
/// ``finish(_:)`` writes the changes into `STORE.runs/ID` and syncs them before the commit. A process that is killed
/// before the commit leaves a folder whose run is not in the ledger.
final class RunRecorder {
    let store: SQLiteStore
    let connection: Connection
    let folder: RunFolder
    var tables: [RecordedTable] = []
    /// Entity tables by name, if only ``SQLiteWriter`` inserts rows into them. It calls ``noteInsert(of:into:)``, which
    /// takes less time than triggers.
    private var written: [String: RecordedTable] = [:]
    /// The state of the folder.
    private var progress = Progress.none

    private enum Progress {
        case none, begun, finished
    }

    init(store: SQLiteStore, run: String) throws(GranaryError) {
        self.store = store
        connection = store.connection
        folder = try RunFolder(storePath: store.path, run: run)
    }

    /// Creates the temporary tables, the triggers and the folder. Call once, at the start of the transaction.
    func begin() throws {
        let ledger = try StoreMetadata.read(connection, try connection.schema()).importLedger
        try RevertRefusal(store: store.path, run: folder.run).checkIsNew(in: ledger)
        tables = try RecordedTable.all(connection)
        // The store's own triggers may insert rows too.
        if try connection.schema().allSatisfy({ $0.type != "trigger" }) {
            let names = Set(store.sql.roots.compactMap { $0?.table })
            for table in tables where names.contains(table.name) { written[table.name] = table }
        }
        try connection.execute(setup)
        progress = .begun
        try folder.begin(databasePath: connection.path)
    }

    /// The statements that create the temporary tables and the triggers. A connection that was closed to load pages runs
    /// them again; the rows of the pages are new and need no trigger.
    var setup: String {
        tables.flatMap { table in
            let columns = (["id INTEGER PRIMARY KEY", "existed"] + table.imageColumns).joined(separator: ", ")
            let created = [
                "DROP TABLE IF EXISTS temp.\(table.shadow)", "CREATE TEMP TABLE \(table.shadow) (\(columns))",
            ]
            return created
                + triggers(of: table).map { trigger in
                    "CREATE TEMP TRIGGER \(trigger.name) \(trigger.event) ON \(table.quotedName) "
                        + "WHEN \(trigger.row).\(table.rowID) <= \(table.lastRow) BEGIN \(trigger.body); END"
                }
        }.joined(separator: ";\n")
    }

    private struct Trigger {
        let name: String
        let event: String
        /// `OLD` or `NEW`: the row whose rowid the trigger's condition compares.
        let row: String
        let body: String
    }

    /// The triggers of a table. They use no OR clause, because the OR clause of the outer statement would override it.
    private func triggers(of table: RecordedTable) -> [Trigger] {
        let (shadow, rowID) = (table.shadow, table.rowID)
        let old = table.quotedColumns.map { "OLD.\($0)" }.joined(separator: ", ")
        let keep =
            "INSERT INTO \(shadow) SELECT OLD.\(rowID), 1, \(old) "
            + "WHERE NOT EXISTS (SELECT 1 FROM \(shadow) WHERE id = OLD.\(rowID))"
        let note =
            "INSERT INTO \(shadow) (id, existed) SELECT NEW.\(rowID), 0 "
            + "WHERE NOT EXISTS (SELECT 1 FROM \(shadow) WHERE id = NEW.\(rowID))"
        var triggers = [
            Trigger(name: shadow + "_update", event: "BEFORE UPDATE", row: "OLD", body: keep),
            Trigger(name: shadow + "_delete", event: "BEFORE DELETE", row: "OLD", body: keep),
        ]
        guard written[table.name] == nil else { return triggers }
        triggers.append(Trigger(name: shadow + "_insert", event: "AFTER INSERT", row: "NEW", body: note))
        if table.hasKey {
            // A trigger of a derived attribute may change the new row before the trigger above runs.
            let unless = " AND NOT EXISTS (SELECT 1 FROM \(table.quotedName) WHERE \(rowID) = NEW.\(rowID))"
            triggers.append(Trigger(name: shadow + "_new", event: "BEFORE INSERT", row: "NEW", body: note + unless))
        }
        return triggers
    }

    /// Call before rows are inserted into an entity table.
    func noteInsert(of keys: some Sequence<Int64>, into name: String) throws {
        guard let table = written[name] else { return }
        for key in keys where key <= table.lastRow {
            let shadow = table.shadow
            let note =
                "INSERT INTO temp.\(shadow) (id, existed) SELECT ?1, 0 "
                + "WHERE NOT EXISTS (SELECT 1 FROM temp.\(shadow) WHERE id = ?1) "
                + "AND NOT EXISTS (SELECT 1 FROM \(table.quotedName) WHERE \(table.rowID) = ?1)"
            try connection.run(note, [key])
        }
    }

    /// Ends recording and writes the folder. Call before the commit.
    func finish(_ files: ExternalFiles) throws {
        for table in tables {
            for trigger in triggers(of: table) { try connection.execute("DROP TRIGGER temp.\(trigger.name)") }
        }
        let outcome = files.outcome
        for name in outcome.removed { try folder.keep(name) }
        try writeImages(added: outcome.added, removed: outcome.removed)
        try folder.finish()
        progress = .finished
    }

    /// Call after the commit.
    func commit() {
        dropShadows()
        if !store.isPublished { store.unpublishedRuns.append(folder) }
    }

    /// Call after a failed transaction. A disk error may be reported although the commit succeeded, so the folder stays
    /// if the ledger names the run or cannot be read.
    func discard() {
        dropShadows()
        if progress == .begun { folder.removePartial() }
        guard progress == .finished else { return }
        let ledger = try? StoreMetadata.read(connection, try connection.schema()).importLedger
        guard let ledger, !ledger.runs.contains(where: { $0.id == folder.run }) else { return }
        folder.remove()
    }

    /// Drops the temporary tables and the triggers. If a statement still reads a table, it stays until the next recording.
    ///
    /// A rollback does not remove what a connection has created that was opened again after a load.
    private func dropShadows() {
        for table in tables {
            for trigger in triggers(of: table) {
                try? connection.execute("DROP TRIGGER IF EXISTS temp.\(trigger.name)")
            }
            try? connection.execute("DROP TABLE IF EXISTS temp.\(table.shadow)")
        }
    }
}

extension SQLiteStore {
    /// Runs a transaction. A commit keeps the before-images and applies the pending metadata; a failure discards both.
    func withRunRecorder<Result>(_ run: String?, _ transaction: (RunRecorder?) throws -> Result) throws -> Result {
        pendingMetadata = nil
        var recorder: RunRecorder?
        if let run { recorder = try RunRecorder(store: self, run: run) }
        do {
            let result = try transaction(recorder)
            if let pendingMetadata { metadata = pendingMetadata }
            pendingMetadata = nil
            recorder?.commit()
            return result
        } catch {
            pendingMetadata = nil
            recorder?.discard()
            throw error
        }
    }
}
