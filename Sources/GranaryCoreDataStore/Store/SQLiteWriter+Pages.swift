import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Inserts rows page by page where that is possible: into a new store, before anything else is written.
extension SQLiteWriter {
    func use(_ loader: RowLoader?) throws {
        guard loader != .sql else { return }
        if recorder == nil, history == nil { load = try PageLoad(store, files) }
        guard load == nil, loader == .pages else { return }
        throw GranaryError(
            .usage,
            "\(store.path): rows cannot be loaded as pages: that needs a new, empty store that keeps no history, a model without "
                + "derived attributes and without uniqueness constraints of subentities, and a run that is not revertible"
        )
    }

    package var rowEncoder: (any RowEncoder)? { load?.encoder }

    func finishRows() throws {
        load = nil
        do { try connection.endLoading() } catch {
            guard error.isUniqueViolation else { throw error }
            throw GranaryError(
                .refused, "\(store.path): rows violate a uniqueness constraint: \(error.message)",
                underlying: error)
        }
        try completeIndexes()
    }

    /// - Returns: the number of rows of the batch that are appended; SQL inserts the others.
    func appendPages(_ batch: borrowing RowBatch) throws -> Int {
        guard connection.isLoading else {
            // Frees the memory of index entries.
            load = nil
            return 0
        }
        guard let load else { return 0 }
        let count: Int
        do {
            count = try load.append(batch, refusal) { writtenRows += $0 }
        } catch let error as LoadError { throw connection.error(of: error) }
        if count > 0 { usedLoaders.insert(.pages) }
        if count < batch.rows.count { self.load = nil }
        return count
    }
}

/// Keeps what a transaction has changed in memory within its limit (``Connection/writeOutChangedPages(beyond:)``).
extension SQLiteWriter {
    /// How many single statements may run unseen: each changes a few pages.
    private static let lookInterval = 256

    /// Called after each single statement.
    func didRunStatement() throws {
        statementsSinceLook += 1
        if statementsSinceLook >= Self.lookInterval { try writeOutIfMuch() }
    }

    /// Called after each batch.
    func writeOutIfMuch() throws {
        statementsSinceLook = 0
        // SQLite writes the pages of a store in the making when its cache is full: nobody else reads it.
        if store.isPublished { try connection.writeOutChangedPages() }
    }
}
