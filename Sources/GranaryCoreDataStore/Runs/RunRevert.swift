import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Puts back every row that a run has changed, whatever the store's model, in one transaction.
///
/// All is checked before anything is written: the store's tables are those of the run, and each row is exactly as the run
/// left it. Then the rows go, those that were there before come back with their numbers and storage classes, and what
/// came back is compared and its references checked. Triggers do not fire.
final class RunRevert {
    let connection: Connection
    let storePath: String
    let folder: RunFolder
    let images: RunImages
    /// The tables with changed rows.
    private(set) var tables: [RecordedTable] = []
    /// All tables, by their numbers.
    private(set) var tablesByNumber: [Int: RecordedTable] = [:]
    /// Rows that stay as they are, by their tables' names.
    var kept: [String: Set<Int64>] = [:]
    /// The names of entities by `Z_ENT`.
    private(set) var entities: [Int64: String] = [:]
    var conflicts = RunConflicts()
    private(set) var outcome: RevertedRun
    private let cancellation: Cancellation?

    static let goneTable = "temp.granary_gone"
    static let restoredTable = "temp.granary_restored"

    /// - Throws: ``GranaryError``: `unreadable` if the run has no before-images, `refused` if they are damaged.
    init(connection: Connection, storePath: String, run: String, cancellation: Cancellation?) throws {
        self.connection = connection
        self.storePath = storePath
        folder = try RunFolder(storePath: storePath, run: run)
        guard folder.isThere else { throw Self.missing(connection, storePath, run) }
        if folder.hasDigests { try folder.checkDigests() }
        images = try RunImages(folder)
        guard folder.hasDigests || images.predatesDigests else { throw folder.damaged("its file digests is missing") }
        self.cancellation = cancellation
        outcome = RevertedRun(id: run)
    }

    private static func missing(_ connection: Connection, _ path: String, _ run: String) -> GranaryError {
        let ledger = try? StoreMetadata.read(connection, try connection.schema()).importLedger
        let isKnown = ledger?.runs.contains { $0.id == run } ?? false
        return GranaryError(
            .unreadable,
            isKnown
                ? "\(path): the run \(run) cannot be taken back: there are no before-images in "
                    + "\(RunFolder.root(ofStore: path)); --revertible keeps them"
                : "\(path): there is no run \(run) that could be taken back")
    }

    func run() throws -> RevertedRun {
        var files = RevertedFiles(self)
        do {
            try connection.withoutTriggers {
                try connection.transaction(.immediate) {
                    try checkStore()
                    for table in tables { try check(table) }
                    try conflicts.throwIfAny(storePath, folder.run)
                    try putBack()
                    try checkReferences()
                    try conflicts.throwIfAny(storePath, folder.run)
                    try revertMetadata()
                    try files.restore()
                    try cancellation?.check()
                }
            }
        } catch {
            files.discard()
            throw error
        }
        for table in [Self.goneTable, Self.restoredTable] { try? connection.execute("DROP TABLE IF EXISTS \(table)") }
        // The commit has to be there for certain before what could repeat it goes.
        PublishedFile.syncCommit(of: connection.path)
        files.finish()
        folder.remove()
        return outcome
    }

    // MARK: Before anything is written

    private func checkStore() throws {
        let metadata = try StoreMetadata.read(connection, try connection.schema())
        guard metadata.identifier == images.store else {
            throw GranaryError(
                Diagnostic(
                    .storeMismatch, "\(storePath): the run \(folder.run) is one of another store (\(images.store))"))
        }
        guard try RunImages.schemaDigest(connection) == images.schema else {
            throw GranaryError(
                Diagnostic(
                    .storeLayout,
                    "\(storePath): its tables, indexes or triggers have changed since the run \(folder.run), which can "
                        + "no longer be taken back"))
        }
        for table in try RecordedTable.all(connection) {
            tablesByNumber[table.number] = table
            if images.tables[table.number] == table.name { tables.append(table) }
        }
        guard tables.count == images.tables.count else {
            throw GranaryError(Diagnostic(.storeCorrupt, "\(folder.database): it names tables that the store lacks"))
        }
        let names = try connection.prepare("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
        while try names.step() { entities[names.integer(at: 0)] = try names.string(at: 1) ?? "" }
    }

    // MARK: Writing

    private func putBack() throws {
        for table in [Self.goneTable, Self.restoredTable] {
            try connection.execute("DROP TABLE IF EXISTS \(table)")
            try connection.execute(
                "CREATE TABLE \(table) (source INTEGER, id INTEGER, PRIMARY KEY (source, id)) WITHOUT ROWID")
        }
        // Metadata have a way of their own.
        let ordinary = tables.filter { $0.name != Self.metadataTable }
        // All go before the first comes: two rows may have changed their unique values for each other's.
        for table in ordinary { try removeRows(of: table) }
        for table in ordinary { try restoreRows(of: table) }
    }

    private func removeRows(of table: RecordedTable) throws {
        let staying = kept[table.name] ?? []
        let delete = "DELETE FROM \(table.quotedName) WHERE \(table.rowID) = ?"
        let note = "INSERT INTO \(Self.goneTable) VALUES (\(table.number), ?)"
        try images.forEachRow(of: table) { row, _ in
            try cancellation?.check()
            guard !staying.contains(row.id) else { return }
            try run(delete, row.id)
            if row.before == nil { try run(note, row.id) }
            count(row, table)
        }
    }

    private func restoreRows(of table: RecordedTable) throws {
        let staying = kept[table.name] ?? []
        let columns = ([table.rowID] + table.quotedColumns).joined(separator: ", ")
        let marks = Array(repeating: "?", count: table.columns.count + 1).joined(separator: ", ")
        let insert = "INSERT OR ABORT INTO \(table.quotedName) (\(columns)) VALUES (\(marks))"
        let note = "INSERT INTO \(Self.restoredTable) VALUES (\(table.number), ?)"
        var image = RowImage()
        try images.withRows(of: table) { row in
            while try row.step() {
                try cancellation?.check()
                let id = row.integer(at: 0)
                guard row.integer(at: 2) != 0, !staying.contains(id) else { continue }
                try connection.withStatement(insert) { statement in
                    try statement.bind(id, at: 1)
                    for column in table.columns.indices {
                        try statement.bindValue(of: row, column: column + 3, at: column + 2)
                    }
                    do { try statement.run() } catch let error as SQLiteError {
                        guard error.isUniqueViolation else { throw error }
                        throw taken(row, table, error)
                    }
                }
                let wanted = try image.digest(row, 3..<table.columns.count + 3)
                guard try digest(of: id, table, &image) == wanted else {
                    throw GranaryError(
                        Diagnostic(
                            .storeLayout,
                            "\(storePath): the table \(table.name) does not take back the row \(id) as it was"))
                }
                try run(note, id)
                try connection.writeOutChangedPages()
            }
        }
    }

    /// The fingerprint of a row as it is now; nil without one.
    func fingerprint(of id: Int64, _ table: RecordedTable) throws -> [UInt8]? {
        try connection.withStatement(table.select) { statement in
            try statement.bind(id, at: 1)
            guard try statement.step() else { return nil }
            var bytes: [UInt8] = []
            try RowFingerprint(statement, 1..<table.columns.count + 1).append(to: &bytes)
            return bytes
        }
    }

    /// The digest of a row as it is now; nil without one.
    func digest(of id: Int64, _ table: RecordedTable, _ image: inout RowImage) throws -> [UInt8]? {
        try connection.withStatement(table.select) { statement in
            try statement.bind(id, at: 1)
            return try statement.step() ? image.digest(statement, 1..<table.columns.count + 1) : nil
        }
    }

    private func run(_ sql: String, _ parameter: Int64) throws {
        try connection.withStatement(sql) { statement in
            try statement.bind(parameter, at: 1)
            try statement.run()
        }
    }

    private func count(_ row: RunImages.Row, _ table: RecordedTable) {
        guard !Self.isBookkeeping(table.name) else { return }
        if table.columns.first != "Z_PK" {
            outcome.links += 1
        } else if row.before == nil {
            outcome.removed += 1
        } else if row.after == nil {
            outcome.broughtBack += 1
        } else {
            outcome.restored += 1
        }
    }

    private func taken(_ row: Statement, _ table: RecordedTable, _ error: SQLiteError) -> GranaryError {
        let id = row.integer(at: 0)
        let columns = error.uniqueColumns.joined(separator: ", ")
        let diagnostic = Diagnostic(
            .objectConflict, "\(name(id, table)) cannot come back: another object has the same value now (\(columns))",
            entity: entity(row, table))
        return GranaryError(
            .refused, "\(storePath): the run \(folder.run) cannot be taken back: \(diagnostic.message)",
            diagnostics: [diagnostic], underlying: error)
    }
}
