internal import GranaryCSQLite

/// Creating tables and indexes by the thousand.
extension Connection {
    /// With fewer statements, SQLite is fast enough.
    private static let manyStatements = 1000
    /// The number of statements after which the schema is set aside.
    private static let batchSize = 200

    /// Runs CREATE statements, in a transaction of a new database that nobody else uses.
    ///
    /// SQLite reads the whole schema for each CREATE, so that 15,000 tables with their indexes take minutes. A long
    /// list is therefore run in batches: after each one the rows of the schema table are set aside, so that SQLite
    /// forgets the tables, and in the end all rows are put back. The pages of the tables stay where they are.
    ///
    /// The order of objects in the schema is that of the statements, except that statements other than CREATE TABLE and
    /// CREATE INDEX come last in a long list.
    package func createSchema(_ statements: [String]) throws(SQLiteError) {
        guard statements.count > Self.manyStatements else {
            for statement in statements { try execute(statement) }
            return
        }
        // The rows of the schema table can be changed only without this protection.
        try check(granary_db_config_flag(open, SQLITE_DBCONFIG_DEFENSIVE, 0))
        defer { _ = (try? open).map { granary_db_config_flag($0, SQLITE_DBCONFIG_DEFENSIVE, 1) } }
        var groups: [[Int]] = []
        var groupOfTable: [Substring: Int] = [:]
        var later: [String] = []
        for (index, statement) in statements.enumerated() {
            guard let table = Self.table(of: statement) else {
                later.append(statement)
                continue
            }
            if let group = groupOfTable[table] {
                groups[group].append(index)
            } else {
                groupOfTable[table] = groups.count
                groups.append([index])
            }
        }
        var rows: [SchemaRow] = []
        var batch: [Int] = []
        for group in groups {
            batch += group
            guard batch.count >= Self.batchSize else { continue }
            rows += try setAside(batch, of: statements)
            batch.removeAll()
        }
        rows += try setAside(batch, of: statements)
        try putBack(rows.sorted { ($0.statement, $0.place) < ($1.statement, $1.place) })
        for statement in later { try execute(statement) }
    }

    /// The table that a statement creates, or for which it creates an index; nil for other statements and quoted names.
    private static func table(of statement: String) -> Substring? {
        let words = statement.split(separator: " ", maxSplits: 6).prefix(6)
        func name(after word: String) -> Substring? {
            guard let place = words.firstIndex(of: Substring(word)), words.indices.contains(place + 1) else {
                return nil
            }
            let name = words[place + 1].prefix { $0 != "(" }
            return name.isEmpty || name.contains("\"") ? nil : name
        }
        if statement.hasPrefix("CREATE TABLE ") { return name(after: "TABLE") }
        guard statement.hasPrefix("CREATE INDEX ") || statement.hasPrefix("CREATE UNIQUE INDEX ") else { return nil }
        return name(after: "ON")
    }

    /// A row of the schema table.
    private struct SchemaRow {
        /// The index of the statement that created the object, and the row's place among those of its batch.
        let statement: Int
        let place: Int
        let type: String
        let name: String
        let table: String
        let root: Int64
        let sql: String?
    }

    /// Runs a batch of statements, then removes and returns the rows of the schema table.
    private func setAside(_ batch: [Int], of statements: [String]) throws(SQLiteError) -> [SchemaRow] {
        // The rows of one statement follow each other; an index that SQLite makes for a table has no text.
        var rows: [SchemaRow] = []
        for index in batch { try execute(statements[index]) }
        let statement = try prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master ORDER BY rowid")
        var owners = batch.makeIterator()
        var owner = 0
        while try statement.step() {
            let sql = try statement.string(at: 4)
            if sql != nil { owner = owners.next() ?? owner }
            rows.append(
                SchemaRow(
                    statement: owner, place: rows.count, type: try statement.string(at: 0) ?? "",
                    name: try statement.string(at: 1) ?? "", table: try statement.string(at: 2) ?? "",
                    root: statement.integer(at: 3), sql: sql))
        }
        statement.reset()
        try execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_master; PRAGMA writable_schema=RESET")
        return rows
    }

    private func putBack(_ rows: [SchemaRow]) throws(SQLiteError) {
        try execute("PRAGMA writable_schema=ON")
        let insert = try prepare(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)")
        for row in rows {
            try insert.bind(row.type, at: 1)
            try insert.bind(row.name, at: 2)
            try insert.bind(row.table, at: 3)
            try insert.bind(row.root, at: 4)
            if let sql = row.sql { try insert.bind(sql, at: 5) } else { try insert.bindNull(at: 5) }
            try insert.run()
        }
        insert.reset()
        try execute("PRAGMA writable_schema=RESET")
    }
}
