#if PostgreSQL
    import GranaryBase
    import GranaryCoordination

    extension PostgreSQLStore: RevertingStore {
        @discardableResult
        func revert(run: String) throws -> RevertedRun {
            guard !isUnpublished, !isReadOnly else {
                throw GranaryError(
                    .usage, "\(source): a run can only be reverted in a published store that is open for writing")
            }
            return try translating {
                let before = metadata
                do {
                    var revert = try RunRevert(self, run: run)
                    return try revert.revert()
                } catch {
                    metadata = before
                    throw error
                }
            }
        }

        func runs() throws -> StoreRuns {
            try translating {
                var bytes: [String: Int64] = [:]
                if try RunTables.exist(connection, layout) {
                    let found = try connection.query(
                        "SELECT run, bytes FROM \(layout.qualified(RunTables.run)) ORDER BY run")
                    for row in 0..<found.rowCount {
                        if let run = found.text(row, 0) { bytes[run] = found.integer(row, 1) ?? 0 }
                    }
                }
                return StoreRuns(importLedger, kept: bytes.keys) { bytes[$0] }
            }
        }

        /// Removes the data of all runs that can be reverted but the newest ones.
        func removeOldRuns(keeping count: Int) throws -> [StoreRuns.Entry] {
            guard !isReadOnly else { throw GranaryError(.usage, "\(source): the store was opened for reading only") }
            return try translating {
                try connection.transaction("BEGIN; LOCK TABLE \(layout.storeTable) IN SHARE ROW EXCLUSIVE MODE") {
                    _ = try readMetadata()
                    let old = try runs().old(keeping: count)
                    for entry in old { try RunTables.remove(entry.id, connection, layout) }
                    return old
                }
            }
        }
    }
#endif
