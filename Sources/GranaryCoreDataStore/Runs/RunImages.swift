import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// The before-images of a run, opened for reading. The file may be damaged or forged, so its content is checked.
struct RunImages {
    static let format = 3

    let connection: Connection
    let run: String
    /// The UUID of the run's store.
    let store: String
    /// The ``schemaDigest(_:)`` of the store after the run.
    let schema: [UInt8]
    /// The names of the tables with changed rows, by number.
    private(set) var tables: [Int: String] = [:]

    /// The largest number of fingerprints in a row of `new_N`.
    static let newRowsLimit: Int64 = 4096

    struct Reference {
        let source: Int
        let column: String
        let destination: Int
        /// The number of keys in the before-images without a row.
        let dangling: Int64
    }

    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not the run's file.
    init(_ folder: RunFolder) throws {
        connection = try Connection.reading(path: folder.database)
        let known: (run: String, store: String, schema: [UInt8], format: Int64)? = try connection.withStatement(
            "SELECT format, id, store, schema FROM run"
        ) { statement in
            guard try statement.step() else { return nil }
            return (
                run: try statement.string(at: 1) ?? "", store: try statement.string(at: 2) ?? "",
                schema: Array(try statement.blob(at: 3)), format: statement.integer(at: 0)
            )
        }
        guard let known, known.run == folder.run, known.format == Int64(Self.format) else {
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(folder.database): does not contain before-images of the run \(folder.run)")
            )
        }
        run = known.run
        store = known.store
        schema = known.schema
        let list = try connection.prepare("SELECT number, name FROM tables ORDER BY number")
        while try list.step() {
            tables[Int(clamping: list.integer(at: 0))] = try list.string(at: 1) ?? ""
        }
    }

    /// Runs `body` with a query for the changed rows of a table, sorted by number: `id`, `after`, `existed`, then the
    /// values.
    func withRows<Result>(of table: RecordedTable, _ body: (Statement) throws -> Result) throws -> Result {
        let columns = ["id", "after", "existed"] + table.imageColumns
        return try connection.withStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.images) ORDER BY id", body)
    }

    /// A row that the run changed, deleted or inserted.
    struct Row {
        let id: Int64
        /// The digest of a changed row or the fingerprint of a new row after the run; nil for a deleted row.
        let after: [UInt8]?
        /// The row before the run, with its values from column 3 on; nil if it did not exist.
        let before: Statement?
    }

    /// Calls `body` with the changed rows of a table in the order of their numbers, then with the new rows.
    ///
    /// - Parameter body: called with a row and whether its `after` is a fingerprint.
    func forEachRow(of table: RecordedTable, _ body: (Row, _ isNew: Bool) throws -> Void) throws {
        try withRows(of: table) { row in
            while try row.step() {
                let after = row.isNull(at: 1) ? nil : Array(try row.blob(at: 1))
                try body(Row(id: row.integer(at: 0), after: after, before: row.integer(at: 2) != 0 ? row : nil), false)
            }
        }
        try connection.withStatement("SELECT first, fingerprints FROM \(table.newRows) ORDER BY first") { run in
            while try run.step() {
                let fingerprints = Array(try run.blob(at: 1))
                var id = run.integer(at: 0)
                var start = 0
                while fingerprints.count - start >= RowFingerprint.length {
                    let after = Array(fingerprints[start..<start + RowFingerprint.length])
                    try body(Row(id: id, after: after, before: nil), true)
                    id &+= 1
                    start += RowFingerprint.length
                }
            }
        }
    }

    func references() throws -> [Reference] {
        let list = try connection.prepare("SELECT source, column, destination, dangling FROM reference ORDER BY rowid")
        var found: [Reference] = []
        while try list.step() {
            found.append(
                Reference(
                    source: Int(clamping: list.integer(at: 0)), column: try list.string(at: 1) ?? "",
                    destination: Int(clamping: list.integer(at: 2)), dangling: list.integer(at: 3)))
        }
        return found
    }

    /// The external files that the run created, or the files that it removed and the run's folder keeps.
    func externalFiles(kept: Bool) throws -> [String] {
        let list = try connection.prepare("SELECT name FROM external WHERE kept = \(kept ? 1 : 0) ORDER BY name")
        var names: [String] = []
        while try list.step() {
            // Names become parts of paths.
            if let name = try list.string(at: 0), ExternalData.isFileName(name) { names.append(name) }
        }
        return names
    }

    /// A digest of a store's tables, indexes and triggers. A run can be reverted only while they are unchanged.
    /// SQLite's own tables, such as ANALYZE's, are left out.
    static func schemaDigest(_ connection: Connection) throws -> [UInt8] {
        var digest = ContentDigest()
        // VACUUM may change their order.
        let objects = try connection.schema().filter { !$0.name.hasPrefix("sqlite_") }
            .map { [$0.type, $0.name, $0.tableName, $0.sql ?? ""].joined(separator: "\0") }
        for object in objects.sorted(by: utf8Less) { digest.update(Array(object.utf8) + [0]) }
        return digest.bytes
    }
}
