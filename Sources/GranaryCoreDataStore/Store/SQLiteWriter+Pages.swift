import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Appends rows page by page where possible: to a new store, before other writes.
extension SQLiteWriter {
    func use(_ loader: RowLoader?) throws {
        guard loader != .sql else { return }
        let settings = [SQLiteStore.buildSettings, recorder?.setup].compactMap(\.self).joined(separator: ";\n")
        if history == nil { load = try PageLoad(store, files, settings: settings) }
        guard load == nil, loader == .pages else { return }
        throw GranaryError(
            .usage,
            "\(store.path): rows cannot be loaded as pages: this requires a new, empty store without a history, a model without "
                + "triggers (derived attributes, R-trees), partial indexes and uniqueness constraints of subentities"
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

    /// Appends rows of a batch without SQL.
    ///
    /// - Returns: the number of appended rows. SQL must insert the others.
    func appendPages(_ batch: borrowing RowBatch) throws -> Int {
        guard connection.isLoading else {
            // This frees the memory of index entries.
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

/// Keeps the memory for changed pages within its limit (``Connection/writeOutChangedPages(beyond:)``).
extension SQLiteWriter {
    /// The number of statements between two checks. Each statement changes a few pages.
    private static let lookInterval = 256

    /// Call after each statement.
    func didRunStatement() throws {
        statementsSinceLook += 1
        if statementsSinceLook >= Self.lookInterval { try writeOutIfMuch() }
    }

    /// Call after each batch.
    func writeOutIfMuch() throws {
        statementsSinceLook = 0
        // Without readers, SQLite itself writes pages when its cache is full. An unpublished store has no readers.
        if store.isPublished { try connection.writeOutChangedPages() }
    }
}
