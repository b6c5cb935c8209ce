import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Restores every row that a run changed, in one transaction and without the store's model.
///
/// Before any write, it checks that the store's schema has not changed since the run and that each row is exactly as
/// the run left it. Then it deletes the rows and inserts the rows that existed before, with their rowids and storage
/// classes. At the end it compares the restored rows with the before-images and checks references. Triggers do not
/// fire.
final class RunRevert {
    let connection: Connection
    let storePath: String
    let folder: RunFolder
    let images: RunImages
    /// The tables with changed rows.
    private(set) var tables: [RecordedTable] = []
    /// All tables by number.
    private(set) var tablesByNumber: [Int: RecordedTable] = [:]
    /// Rows that are not changed, by table name.
    var kept: [String: Set<Int64>] = [:]
    /// The names of entities by `Z_ENT`.
    private(set) var entities: [Int64: String] = [:]
    var refusal: RevertRefusal
    private(set) var outcome: RevertedRun
    private let cancellation: Cancellation?

    static let goneTable = "temp.granary_gone"
    static let restoredTable = "temp.granary_restored"

    /// - Throws: ``GranaryError``: `unreadable` if the run has no before-images, `refused` if they are damaged.
    init(connection: Connection, storePath: String, run: String, cancellation: Cancellation?) throws {
        self.connection = connection
        self.storePath = storePath
        folder = try RunFolder(storePath: storePath, run: run)
        refusal = try RevertRefusal(store: storePath, run: run)
        guard folder.isThere else {
            throw refusal.missing(Self.ledger(connection), in: RunFolder.root(ofStore: storePath))
        }
        try folder.checkDigests()
        images = try RunImages(folder)
        self.cancellation = cancellation
        outcome = RevertedRun(id: run)
    }

    private static func ledger(_ connection: Connection) -> ImportLedger? {
        try? StoreMetadata.read(connection, try connection.schema()).importLedger
    }

    func run() throws -> RevertedRun {
        var files = RevertedFiles(self)
        do {
            try connection.withoutTriggers {
                try connection.transaction(.immediate) {
                    try checkStore()
                    for table in tables { try check(table) }
                    try throwConflicts()
                    try putBack()
                    try checkReferences()
                    try throwConflicts()
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
        // The commit must be on disk before the before-images are removed.
        PublishedFile.syncCommit(of: connection.path)
        files.finish()
        folder.remove()
        return outcome
    }

    private func throwConflicts() throws(GranaryError) { try refusal.throwConflicts(Self.ledger(connection)) }

    // MARK: Before anything is written

    private func checkStore() throws {
        let metadata = try StoreMetadata.read(connection, try connection.schema())
        guard metadata.identifier == images.store else {
            throw GranaryError(
                Diagnostic(
                    .storeMismatch, "\(storePath): the run \(folder.run) belongs to another store (\(images.store))"))
        }
        guard try RunImages.schemaDigest(connection) == images.schema else {
            throw refusal.changedTables
        }
        for table in try RecordedTable.all(connection) {
            tablesByNumber[table.number] = table
            if images.tables[table.number] == table.name { tables.append(table) }
        }
        guard tables.count == images.tables.count else {
            throw GranaryError(Diagnostic(.storeCorrupt, "\(folder.database): names tables that the store lacks"))
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
        // ``revertMetadata()`` restores the metadata.
        let ordinary = tables.filter { $0.name != Self.metadataTable }
        // All rows are deleted before any is inserted: two rows may have exchanged their unique values.
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
            try connection.run(delete, [row.id])
            if row.before == nil { try connection.run(note, [row.id]) }
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
                    throw refusal.alteredRow(id, of: table.name)
                }
                try connection.run(note, [id])
                try connection.writeOutChangedPages()
            }
        }
    }

    /// The fingerprint of a present row; nil if there is none.
    func fingerprint(of id: Int64, _ table: RecordedTable) throws -> [UInt8]? {
        try connection.withStatement(table.select) { statement in
            try statement.bind(id, at: 1)
            guard try statement.step() else { return nil }
            var bytes: [UInt8] = []
            try RowFingerprint(statement, 1..<table.columns.count + 1).append(to: &bytes)
            return bytes
        }
    }

    /// The digest of a present row; nil if there is none.
    func digest(of id: Int64, _ table: RecordedTable, _ image: inout RowImage) throws -> [UInt8]? {
        try connection.withStatement(table.select) { statement in
            try statement.bind(id, at: 1)
            return try statement.step() ? image.digest(statement, 1..<table.columns.count + 1) : nil
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
        refusal.taken(
            name(row.integer(at: 0), table), columns: error.uniqueColumns, entity: entity(row, table), underlying: error
        )
    }
}
