/// Filling tables page by page inside a transaction.
///
/// The connection is closed during the load. The next statement ends the load: the last pages and the indexes are
/// written, the file is opened again, and the transaction continues. A rollback empties the loaded tables.
extension Connection {
    struct ActiveLoad {
        let loader: DatabaseLoader
        /// The settings of the connection, which must be set again when the file is reopened.
        let settings: String
        /// The error of an attempt to finish the load. Later attempts throw it again.
        var failure: SQLiteError?
    }

    /// Begins a load in an open transaction that has not written anything. No other process may use the file.
    ///
    /// - Parameters:
    ///   - tables: the tables to fill, which must be empty and have no triggers.
    ///   - settings: the pragmas to set again after the load.
    /// - Returns: the tables in the same order; nil if the transaction has written something, statements are in use, or
    ///   a table cannot be loaded.
    package func beginLoading(
        _ tables: [String], settings: String, indexMemory: Int? = nil
    ) throws(SQLiteError) -> [TablePages]? {
        guard load == nil, loadedTables.isEmpty, isInTransaction, totalChanges == changesBefore else { return nil }
        var found: [(root: UInt32, indexes: [LoadedIndex])] = []
        // Read once: SQLite finds a name in the schema by reading all of it.
        let roots = try rootPages()
        for table in tables {
            guard let number = roots.tables[Array(table.utf8)], number > 1,
                try integer("SELECT 1 FROM \(SQL.quoteIdentifier(table)) LIMIT 1") == nil
            else { return nil }
            guard let indexes = try indexes(of: table, roots.indexes) else { return nil }
            found.append((number, indexes))
        }
        idleStatements.removeAll()
        guard !hasStatements else { return nil }
        try execute("COMMIT")
        idleStatements.removeAll()
        try close()
        do throws(LoadError) {
            let count = found.reduce(0) { $0 + $1.indexes.count }
            let loader = try DatabaseLoader(
                path: path, indexMemory: indexMemory ?? TableIndex.memoryLimit(indexes: count))
            loadedTables = tables
            let pages = found.map { loader.table(root: $0.root, indexes: $0.indexes) }
            load = ActiveLoad(loader: loader, settings: settings)
            return pages
        } catch {
            try reopen(settings)
            try execute("BEGIN IMMEDIATE")
            return nil
        }
    }

    /// The root pages of all tables and indexes by the bytes of their names. Equal strings can have different bytes.
    private func rootPages() throws(SQLiteError) -> (tables: [[UInt8]: UInt32], indexes: [[UInt8]: UInt32]) {
        var (tables, indexes): ([[UInt8]: UInt32], [[UInt8]: UInt32]) = ([:], [:])
        let statement = try prepare("SELECT name, rootpage, type = 'table' FROM sqlite_master WHERE rootpage > 0")
        while try statement.step() {
            guard let root = UInt32(exactly: statement.integer(at: 1)) else { continue }
            let name = Array(try statement.text(at: 0))
            if statement.integer(at: 2) != 0 { tables[name] = root } else { indexes[name] = root }
        }
        return (tables, indexes)
    }

    /// The indexes of a table; nil if one has an expression, a condition, another collation, or the rowid as a column.
    ///
    /// - Parameter roots: the root pages of all indexes.
    private func indexes(of table: String, _ roots: [[UInt8]: UInt32]) throws(SQLiteError) -> [LoadedIndex]? {
        var indexes: [LoadedIndex] = []
        let list = try prepare("SELECT name, \"unique\", partial FROM pragma_index_list(?)")
        try list.bind(table, at: 1)
        let key = try integer(
            "SELECT MIN(cid) FROM pragma_table_info(\(SQL.quoteText(table))) WHERE pk > 0 HAVING COUNT(*) = 1 "
                + "AND upper(type) = 'INTEGER'")
        while try list.step() {
            guard let name = try list.string(at: 0), list.integer(at: 2) == 0,
                let root = roots[Array(name.utf8)]
            else { return nil }
            var columns: [LoadedIndex.Column] = []
            var names: [String] = []
            let info = try prepare(
                "SELECT cid, desc, coll, name FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno")
            try info.bind(name, at: 1)
            while try info.step() {
                guard let place = Int(exactly: info.integer(at: 0)), place >= 0, Int64(place) != key,
                    try info.string(at: 2) == "BINARY"
                else { return nil }
                columns.append(LoadedIndex.Column(place: place, isDescending: info.integer(at: 1) != 0))
                names.append("\(table).\(try info.string(at: 3) ?? "")")
            }
            indexes.append(
                LoadedIndex(
                    name: name, root: root, columns: columns, isUnique: list.integer(at: 1) != 0, columnNames: names))
        }
        return indexes
    }

    /// Whether rows can be appended to the tables of ``beginLoading(_:settings:indexMemory:)``.
    package var isLoading: Bool { load != nil }

    /// Ends the load, if there is one: writes the remaining rows and the indexes. Any statement has the same effect.
    package func endLoading() throws(SQLiteError) {
        guard let active = load else { return }
        if let failure = active.failure { throw failure }
        do throws(LoadError) { try active.loader.finish() } catch {
            let failure = self.error(of: error)
            load?.failure = failure
            throw failure
        }
        load = nil
        try reopen(active.settings)
        try execute("BEGIN IMMEDIATE")
    }

    /// Converts an error of loading to the corresponding error of SQLite.
    package func error(of error: LoadError) -> SQLiteError {
        SQLiteError(
            error.isUnique ? .constraintUnique : error.isFull ? .full : .inputOutput, error.message, origin: origin)
    }

    /// Discards a load that has not ended.
    func discardLoad() {
        guard let active = load else { return }
        load = nil
        loadedTables = []
        active.loader.discard()
        if !active.loader.isBroken { try? reopen(active.settings) }
    }

    /// Empties the tables that a transaction has loaded, after it was rolled back.
    func emptyLoadedTables() {
        guard !loadedTables.isEmpty else { return }
        let tables = loadedTables
        loadedTables = []
        do {
            for table in tables { try execute("DELETE FROM \(SQL.quoteIdentifier(table))") }
            try execute("PRAGMA incremental_vacuum")
        } catch {
            // The rows must not become part of the store.
            try? close()
        }
    }

    private func reopen(_ settings: String) throws(SQLiteError) {
        try reopen()
        try execute(settings)
    }
}
