/// Filling tables page by page inside a transaction.
///
/// The connection is closed while the load lasts. The first statement that is run after the rows ends the load: it writes what is
/// left, opens the file again, fills the indexes and goes on with the transaction. If the transaction is rolled back, the loaded
/// tables are emptied.
extension Connection {
    struct ActiveLoad {
        let loader: DatabaseLoader
        /// Settings of the connection, which opening the file again would lose.
        let settings: String
    }

    /// Begins a load in the transaction that is open and has not written anything yet. The file must be one that nobody else uses.
    ///
    /// - Parameters:
    ///   - tables: the tables to fill, which must be empty and have no triggers.
    ///   - settings: pragmas to be set again when the load has ended.
    /// - Returns: the tables in the same order; nil where the transaction has written something, or statements are in use.
    package func beginLoading(
        _ tables: [String], settings: String
    ) throws(SQLiteError) -> [TablePages]? {
        guard load == nil, loadedTables.isEmpty, isInTransaction, totalChanges == changesBefore else { return nil }
        var roots: [UInt32] = []
        for table in tables {
            let root = try integer(
                "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = \(SQL.quoteText(table))")
            guard let root, let number = UInt32(exactly: root), number > 1,
                try integer("SELECT 1 FROM \(SQL.quoteIdentifier(table)) LIMIT 1") == nil
            else { return nil }
            roots.append(number)
        }
        idleStatements.removeAll()
        guard !hasStatements else { return nil }
        try execute("COMMIT")
        idleStatements.removeAll()
        try close()
        do throws(LoadError) {
            let loader = try DatabaseLoader(path: path)
            loadedTables = tables
            let pages = roots.map { loader.table(root: $0) }
            load = ActiveLoad(loader: loader, settings: settings)
            return pages
        } catch {
            try reopen(settings)
            try execute("BEGIN IMMEDIATE")
            return nil
        }
    }

    /// Whether rows can be appended to the tables that ``beginLoading(_:settings:)`` gave.
    package var isLoading: Bool { load != nil }

    /// Ends the load: its rows are in the tables and in their indexes.
    func finishLoading() throws(SQLiteError) {
        guard let active = load else { return }
        let counts = active.loader.rowCounts
        do throws(LoadError) { try active.loader.finish() } catch {
            throw self.error(of: error)
        }
        load = nil
        try reopen(active.settings)
        try execute("BEGIN IMMEDIATE")
        for (table, count) in zip(loadedTables, counts) where count > 0 {
            try execute("REINDEX \(SQL.quoteIdentifier(table))")
        }
    }

    /// What went wrong with pages, as SQLite would say it.
    package func error(of error: LoadError) -> SQLiteError {
        SQLiteError(error.isFull ? .full : .inputOutput, error.message, origin: origin)
    }

    /// Takes back a load that has not ended.
    func discardLoad() {
        guard let active = load else { return }
        load = nil
        loadedTables = []
        active.loader.discard()
        if !active.loader.isBroken { try? reopen(active.settings) }
    }

    /// Empties the tables that a transaction has loaded which was rolled back.
    func emptyLoadedTables() {
        guard !loadedTables.isEmpty else { return }
        let tables = loadedTables
        loadedTables = []
        do {
            for table in tables { try execute("DELETE FROM \(SQL.quoteIdentifier(table))") }
            try execute("PRAGMA incremental_vacuum")
        } catch {
            // Nobody may take them for rows of a store.
            try? close()
        }
    }

    private func reopen(_ settings: String) throws(SQLiteError) {
        try reopen()
        try execute(settings)
    }
}
