import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Writes the before-images into the database `STORE.runs/ID/before.sqlite`.
///
/// - `run`: the format, the run's name, the store's UUID and the schema digest.
/// - `tables`: the names of the changed tables.
/// - `rows_N`: for each changed row of table N its rowid, the digest after the run (NULL for a deleted row), whether it
///   existed before, and its values before the run with their storage classes.
/// - `new_N`: sequences of new rows with consecutive rowids: the first rowid and the fingerprint of each row.
/// - `external`: the external files that the run created (0), and the removed files that the folder keeps (1).
/// - `reference`: the columns that hold keys.
extension RunRecorder {
    func writeImages(added: [String], removed: [String]) throws {
        let output = try Connection(path: folder.partialDatabase, mode: .create)
        // The file is synced before it gets its final name.
        try output.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
        try output.transaction(.exclusive) {
            try output.execute(
                """
                CREATE TABLE run (format INTEGER, id TEXT, store TEXT, schema BLOB);
                CREATE TABLE tables (number INTEGER PRIMARY KEY, name TEXT);
                CREATE TABLE external (name TEXT, kept INTEGER);
                CREATE TABLE reference (source INTEGER, column TEXT, destination INTEGER, dangling INTEGER)
                """)
            let identifier = try StoreMetadata.read(connection, try connection.schema()).identifier
            try output.withStatement("INSERT INTO run VALUES (\(RunImages.format), ?, ?, ?)") { statement in
                try statement.bind(folder.run, at: 1)
                try statement.bind(identifier, at: 2)
                try statement.bind(blob: RunImages.schemaDigest(connection), at: 3)
                try statement.run()
            }
            try output.withStatement("INSERT INTO external VALUES (?, ?)") { statement in
                for (names, isKept) in [(added, Int64(0)), (removed, Int64(1))] {
                    for name in names {
                        try statement.bind(name, at: 1)
                        try statement.bind(isKept, at: 2)
                        try statement.run()
                    }
                }
            }
            for table in tables { try write(table, to: output) }
            try writeReferences(to: output)
        }
        try output.close()
    }

    /// Writes the changed rows of a table.
    private func write(_ table: RecordedTable, to output: Connection) throws {
        let new = "FROM \(table.quotedName) WHERE \(table.rowID) > \(table.lastRow)"
        let hasNew = try connection.integer("SELECT 1 \(new) LIMIT 1") != nil
        guard try hasNew || connection.integer("SELECT 1 FROM temp.\(table.shadow) LIMIT 1") != nil else { return }
        try output.withStatement("INSERT INTO tables VALUES (?, ?)") { statement in
            try statement.bind(Int64(table.number), at: 1)
            try statement.bind(table.name, at: 2)
            try statement.run()
        }
        let columns = ["id INTEGER PRIMARY KEY", "after", "existed"] + table.imageColumns
        try output.execute("CREATE TABLE \(table.images) (\(columns.joined(separator: ", ")))")
        try output.execute("CREATE TABLE \(table.newRows) (first INTEGER PRIMARY KEY, fingerprints BLOB)")
        if hasNew { try writeNewRows(of: table, to: output) }
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let select =
            "SELECT \((["id", "existed"] + table.imageColumns).joined(separator: ", ")) FROM temp.\(table.shadow) "
            + "ORDER BY id"
        var image = RowImage()
        try output.withStatement("INSERT INTO \(table.images) VALUES (\(marks))") { insert in
            try connection.withStatement(table.select) { current in
                try connection.withStatement(select) { before in
                    while try before.step() {
                        let id = before.integer(at: 0)
                        let existed = before.integer(at: 1) != 0
                        current.reset()
                        try current.bind(id, at: 1)
                        let exists = try current.step()
                        let old = try existed ? image.digest(before, 2..<table.columns.count + 2) : nil
                        let new = try exists ? image.digest(current, 1..<table.columns.count + 1) : nil
                        guard old != new else { continue }
                        try insert.bind(id, at: 1)
                        if let new {
                            try insert.bind(blob: new, at: 2)
                        } else {
                            try insert.bindNull(at: 2)
                        }
                        try insert.bind(Int64(existed ? 1 : 0), at: 3)
                        for column in table.columns.indices {
                            try insert.bindValue(of: before, column: column + 2, at: column + 4)
                        }
                        try insert.run()
                    }
                }
            }
        }
    }

    private func writeNewRows(of table: RecordedTable, to output: Connection) throws {
        let select =
            "SELECT \(([table.rowID] + table.quotedColumns).joined(separator: ", ")) FROM \(table.quotedName) "
            + "WHERE \(table.rowID) > \(table.lastRow) ORDER BY \(table.rowID)"
        try output.withStatement("INSERT INTO \(table.newRows) VALUES (?, ?)") { insert in
            var first: Int64 = 0
            var count: Int64 = 0
            var fingerprints: [UInt8] = []
            func write() throws {
                guard count > 0 else { return }
                try insert.bind(first, at: 1)
                try insert.bind(blob: fingerprints, at: 2)
                try insert.run()
                fingerprints.removeAll(keepingCapacity: true)
                count = 0
            }
            try connection.withStatement(select) { row in
                while try row.step() {
                    let id = row.integer(at: 0)
                    if count >= RunImages.newRowsLimit || id != first &+ count { try write() }
                    if count == 0 { first = id }
                    count += 1
                    try RowFingerprint(row, 1..<table.columns.count + 1).append(to: &fingerprints)
                }
            }
            try write()
        }
    }

    /// Writes the columns that hold keys, and the number of keys in the before-images that had no row before the run. A
    /// revert does not repair these.
    private func writeReferences(to output: Connection) throws {
        let byName = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
        try output.withStatement("INSERT INTO reference VALUES (?, ?, ?, ?)") { statement in
            for reference in store.layout.references(schema: store.schema) {
                guard let source = byName[reference.table], let destination = byName[reference.destination],
                    let place = source.columns.firstIndex(of: reference.column)
                else { continue }
                try statement.bind(Int64(source.number), at: 1)
                try statement.bind(reference.column, at: 2)
                try statement.bind(Int64(destination.number), at: 3)
                try statement.bind(try danglingCount(source, "c\(place)", destination), at: 4)
                try statement.run()
            }
        }
    }

    private func danglingCount(_ source: RecordedTable, _ column: String, _ destination: RecordedTable) throws -> Int64
    {
        let known = "SELECT 1 FROM temp.\(destination.shadow) k WHERE k.id = b.\(column)"
        let present =
            "SELECT 1 FROM \(destination.quotedName) d WHERE d.\(destination.rowID) = b.\(column) "
            + "AND d.\(destination.rowID) <= \(destination.lastRow)"
        return try connection.integer(
            """
            SELECT COUNT(*) FROM temp.\(source.shadow) b WHERE b.existed AND b.\(column) IS NOT NULL
            AND NOT EXISTS (\(known) AND k.existed) AND NOT (EXISTS (\(present)) AND NOT EXISTS (\(known)))
            """) ?? 0
    }
}
