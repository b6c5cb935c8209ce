import GranaryBase
package import GranaryCoordination
import GranarySQLite

/// Further connections for reading.
extension SQLiteStore {
    /// Nil unless the file has a write-ahead log: with a rollback journal, readers make the writer wait.
    package var readerFactory: StoreReaderFactory? {
        guard isPublished, !isReadOnly, (try? connection.journalMode()) == "wal" else { return nil }
        return { [schema, layout, metadata, path, busyTimeout, snapshotUse] in
            try converting {
                let connection = try Connection.besideWriter(path: path, busyTimeout: busyTimeout)
                let store = SQLiteStore(
                    schema: schema, layout: layout, metadata: metadata, path: path, connection: connection,
                    busyTimeout: busyTimeout)
                store.snapshotUse = snapshotUse
                return store
            }
        }
    }

    package func setObserver(_ observer: (any PersistentContainerObserver)?) {
        let identifier = identifier
        // Fails only after the connection was closed.
        try? connection.traceStatements(
            from: observer?.slowStatementThreshold ?? .zero,
            observer.map { observer in
                { sql, duration, rowCount in
                    observer.didExecute(
                        ExecutedStatement(
                            sql: sql, duration: duration, rowCount: rowCount, storeIdentifier: identifier))
                }
            })
    }

    package func pin() throws {
        snapshotUse.begin()
        isPinned = true
        try converting {
            do {
                try connection.execute("BEGIN DEFERRED")
                // The first read chooses the state.
                _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
            } catch {
                unpin()
                throw error
            }
        }
    }

    package func unpin() {
        guard isPinned else { return }
        isPinned = false
        if connection.isInTransaction { try? connection.execute("COMMIT") }
        snapshotUse.end()
    }
}
