#if PostgreSQL
    import GranaryBase
    import GranaryCoordination

    /// Restores every row that a run changed, in one transaction.
    ///
    /// Before any write, it checks that the tables have not changed since the run and that each row is exactly as the run
    /// left it. Rows that exist are changed and not replaced: to delete an object deletes its links. At the end it compares
    /// the restored rows with the before-images and checks references. Triggers of Granary and of others do not run.
    struct RunRevert {
        let store: PostgreSQLStore
        let connection: PostgreSQLConnection
        let layout: StoreLayout
        let run: String
        var refusal: RevertRefusal
        private(set) var tables: [RecordedTable] = []
        private var outcome: RevertedRun

        /// The rows to restore: `before` is NULL for those to remove, and `exists` tells whether they exist.
        static let undone = "pg_temp.granary_undone"

        /// - Throws: ``GranaryError`` with code `usage` for an invalid name.
        init(_ store: PostgreSQLStore, run: String) throws {
            (self.store, connection, layout, self.run) = (store, store.connection, store.layout, run)
            refusal = try RevertRefusal(store: store.source, run: run)
            outcome = RevertedRun(id: run)
        }

        /// - Throws: ``GranaryError``: `unreadable` if the run has no before-images; `refused` if it cannot be reverted.
        mutating func revert() throws -> RevertedRun {
            let lock = RecordedTable.lock(layout)
            try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ; \(lock)") {
                let ledger = try store.readMetadata().importLedger
                let number = try checkStore(ledger)
                try connection.execute(
                    """
                    \(RecordedTable.settings);
                    CREATE TEMP TABLE granary_undone (place text, key bigint, member bigint, before text, exists boolean,
                        PRIMARY KEY (place, key, member)) ON COMMIT DROP
                    """)
                for table in tables { try check(table) }
                try refusal.throwConflicts(ledger)
                for table in tables { try collect(table) }
                let triggers = try StoppedTriggers(tables, connection, layout)
                try putBack()
                try checkReferences()
                try refusal.throwConflicts(ledger)
                // A table with pending checks cannot get its triggers back.
                try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
                try triggers.resume()
                try removeFromHistory(number)
                try store.write(try store.readMetadata().removing(run: run))
                try RunTables.remove(run, connection, layout)
                try connection.execute("UPDATE \(layout.storeTable) SET generation = generation + 1")
                try connection.execute("DROP TABLE \(Self.undone)")
            }
            return outcome
        }

        /// Returns the number of the run in the history; nil if it is not in one.
        private mutating func checkStore(_ ledger: ImportLedger) throws -> Int64? {
            let missing = refusal.missing(ledger, in: "the table \(RunTables.run)")
            guard try RunTables.exist(connection, layout) else { throw missing }
            var parameters = SQLParameters()
            parameters.add(run)
            let found = try connection.query(
                "SELECT layout, transaction FROM \(layout.qualified(RunTables.run)) WHERE run = $1", parameters)
            guard let digest = found.text(0, 0) else { throw missing }
            guard try RunTables.layoutDigest(connection, layout) == digest else { throw refusal.changedTables }
            tables = try RecordedTable.all(connection, layout)
            return found.integer(0, 1)
        }

        // MARK: - Writing

        private mutating func putBack() throws {
            let (objects, links) = (tables.filter(\.hasObjects), tables.filter { !$0.hasObjects })
            for table in links { try remove(table, where: "true") }
            // To delete an object would delete its links.
            try checkLinks()
            try refusal.throwConflicts(store.importLedger)
            for table in objects { try freeUniqueValues(of: table) }
            for table in objects { try remove(table, where: "u.before IS NULL") }
            for table in objects { try restore(table) }
            for table in links { try insert(table, where: "") }
            for table in tables {
                try checkRestored(table)
                try count(table)
            }
        }

        private func remove(_ table: RecordedTable, where condition: String) throws {
            try connection.execute(
                "DELETE FROM \(table.qualified) t USING \(Self.undone) u WHERE u.place = \(table.literal) AND \(condition) AND "
                    + table.isRow("t", "u"))
        }

        /// Two rows may have exchanged their unique values.
        private func freeUniqueValues(of table: RecordedTable) throws {
            guard !table.uniqueColumns.isEmpty else { return }
            try connection.execute(
                """
                UPDATE \(table.qualified) t SET \(table.uniqueColumns.map { "\($0) = NULL" }.joined(separator: ", "))
                FROM \(Self.undone) u WHERE u.place = \(table.literal) AND u.exists AND u.before IS NOT NULL AND \(table.isRow("t", "u"))
                """)
        }

        /// Restores all rows of a table with two statements. If a unique value is taken, they are run again for each row,
        /// to find it.
        private func restore(_ table: RecordedTable) throws {
            do {
                try connection.transaction("") { try restore(table, where: "") }
            } catch let error as PostgreSQLError where error.isUniqueViolation {
                let keys = try connection.query(
                    "SELECT key FROM \(Self.undone) WHERE place = \(table.literal) AND before IS NOT NULL ORDER BY key")
                for row in 0..<keys.rowCount {
                    guard let key = keys.integer(row, 0) else { continue }
                    do {
                        try connection.transaction("") { try restore(table, where: " AND u.key = \(key)") }
                    } catch let error as PostgreSQLError where error.isUniqueViolation {
                        throw refusal.taken(
                            "p\(key)", columns: PostgreSQLWriter.columns(in: error.detail ?? ""), entity: table.name,
                            underlying: error)
                    }
                }
                throw error
            }
        }

        private func restore(_ table: RecordedTable, where condition: String) throws {
            let values = table.valueColumns.map { "\($0) = (x.row).\($0)" }.joined(separator: ", ")
            try connection.execute(
                "UPDATE \(table.qualified) t SET \(values) FROM (\(images(table, "u.exists\(condition)"))) x WHERE "
                    + table.isRow("t", "x"))
            try insert(table, where: " AND NOT u.exists\(condition)")
        }

        private func insert(_ table: RecordedTable, where condition: String) throws {
            let values = table.columns.map { "(x.row).\($0)" }.joined(separator: ", ")
            try connection.execute(
                "INSERT INTO \(table.qualified) (\(table.columns.joined(separator: ", "))) OVERRIDING SYSTEM VALUE SELECT \(values) "
                    + "FROM (\(images(table, "true\(condition)"))) x")
        }

        /// The query for the rows before the run. The subquery reads the text of a row once, not for each column.
        private func images(_ table: RecordedTable, _ condition: String) -> String {
            "SELECT u.key, u.member, u.before::\(rowType(table)) AS row FROM \(Self.undone) u WHERE u.place = \(table.literal) AND "
                + "u.before IS NOT NULL AND \(condition) OFFSET 0"
        }

        /// The type of the rows of a temporary table with the recorded columns.
        private func rowType(_ table: RecordedTable) -> String {
            "pg_temp.granary_row_\(tables.firstIndex { $0.name == table.name } ?? 0)"
        }

        private func checkRestored(_ table: RecordedTable) throws {
            let other = try connection.query(
                """
                SELECT u.key FROM \(Self.undone) u LEFT JOIN \(table.qualified) t ON \(table.isRow("t", "u"))
                WHERE u.place = \(table.literal) AND u.before IS DISTINCT FROM \(table.present("t")) LIMIT 1
                """)
            if let key = other.integer(0, 0) { throw refusal.alteredRow(key, of: table.name) }
        }

        private mutating func count(_ table: RecordedTable) throws {
            let counts = try connection.query(
                """
                SELECT count(*) FILTER (WHERE before IS NULL), count(*) FILTER (WHERE before IS NOT NULL AND exists),
                    count(*) FILTER (WHERE before IS NOT NULL AND NOT exists)
                FROM \(Self.undone) WHERE place = \(table.literal)
                """)
            let (removed, restored, again) = (
                Int(clamping: counts.integer(0, 0) ?? 0), Int(clamping: counts.integer(0, 1) ?? 0),
                Int(clamping: counts.integer(0, 2) ?? 0)
            )
            guard table.hasObjects else { return outcome.links += removed + restored + again }
            outcome.removed += removed
            outcome.restored += restored
            outcome.broughtBack += again
        }

        /// Removes the run from the history. If it was the last transaction, its number is free again, as in SQLite stores.
        private func removeFromHistory(_ number: Int64?) throws {
            guard let number, layout.hasHistory else { return }
            let parameters = SQLParameters(number)
            try connection.query(
                "DELETE FROM \(layout.qualified(HistoryTables.change)) WHERE transaction = $1", parameters)
            try connection.query(
                "DELETE FROM \(layout.qualified(HistoryTables.transaction)) WHERE number = $1", parameters)
            try connection.query(
                "UPDATE \(layout.qualified(HistoryTables.counter)) SET last = $1 - 1 WHERE last = $1", parameters)
        }

        // MARK: - Before anything is written

        /// Notes the rows of a table to restore. An object of which the run only raised the version stays as it is if it has
        /// changed since.
        private func collect(_ table: RecordedTable) throws {
            try connection.execute(
                "CREATE TEMP TABLE \(rowType(table)) ON COMMIT DROP AS SELECT \(table.columns.joined(separator: ", ")) FROM "
                    + "\(table.qualified) LIMIT 0")
            var parameters = SQLParameters()
            parameters.add(run)
            try connection.query(
                """
                INSERT INTO \(Self.undone) SELECT r.place, r.key, r.member, r.before, r.after IS NOT NULL FROM (\(present(table))) r
                WHERE NOT r.raised OR \(Self.isAsLeft)
                """, parameters)
        }
    }
#endif
