import GranaryBase
import GranaryModel
import GranarySQLite

/// The before-images of a run, opened for reading. They are a file like any other: nothing in it is taken on trust.
struct RunImages {
    static let format = 2
    /// The run format without digests.
    private static let formatWithoutDigests = 1

    let connection: Connection
    let run: String
    /// Whether the run was made by an earlier version of Granary, which recorded no digests.
    let predatesDigests: Bool
    /// The UUID of the store that it belongs to.
    let store: String
    /// What ``schemaDigest(_:)`` was.
    let schema: [UInt8]
    /// The numbers of the tables that have changed rows, with their names.
    private(set) var tables: [Int: String] = [:]

    struct Reference {
        let source: Int
        let column: String
        let destination: Int
        /// How many of the before-images' keys led nowhere.
        let dangling: Int64
    }

    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is not as a run leaves it.
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
        let formats = [Self.formatWithoutDigests, Self.format].map(Int64.init)
        guard let known, known.run == folder.run, formats.contains(known.format) else {
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(folder.database): these are no before-images of the run \(folder.run)"))
        }
        run = known.run
        predatesDigests = known.format == Int64(Self.formatWithoutDigests)
        store = known.store
        schema = known.schema
        let list = try connection.prepare("SELECT number, name FROM tables ORDER BY number")
        while try list.step() {
            tables[Int(clamping: list.integer(at: 0))] = try list.string(at: 1) ?? ""
        }
    }

    /// The changed rows of a table, by their numbers: `id`, `after`, `existed`, then the values.
    func withRows<Result>(of table: RecordedTable, _ body: (Statement) throws -> Result) throws -> Result {
        let columns = ["id", "after", "existed"] + table.imageColumns
        return try connection.withStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.images) ORDER BY id", body)
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

    /// The files with external data that the run has made, or those that it has removed.
    func externalFiles(kept: Bool) throws -> [String] {
        let list = try connection.prepare("SELECT name FROM external WHERE kept = \(kept ? 1 : 0) ORDER BY name")
        var names: [String] = []
        while try list.step() {
            // They become parts of paths.
            if let name = try list.string(at: 0), ExternalData.isFileName(name) { names.append(name) }
        }
        return names
    }

    /// What tables, indexes and triggers a store has: a run can be taken back as long as they are the same. What SQLite
    /// makes for itself, such as ANALYZE's table, does not count.
    static func schemaDigest(_ connection: Connection) throws -> [UInt8] {
        var digest = ContentDigest()
        // VACUUM changes their order.
        let objects = try connection.schema().filter { !$0.name.hasPrefix("sqlite_") }
            .map { [$0.type, $0.name, $0.tableName, $0.sql ?? ""].joined(separator: "\0") }
        for object in objects.sorted(by: utf8Less) { digest.update(Array(object.utf8) + [0]) }
        return digest.bytes
    }
}
