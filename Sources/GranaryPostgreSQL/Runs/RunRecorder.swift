#if PostgreSQL
    import GranaryBase
    import GranaryCoordination

    /// Records the changes of a transaction in all tables, so that the run can be reverted (``RunRevert``).
    ///
    /// Triggers with the rows of a statement copy each row into a temporary table before its first change, whoever changes
    /// it: the triggers of derived attributes run after them. They exist in this transaction only, and so does the temporary
    /// table. A table that is empty needs none: all its rows are new. ``finish(transaction:)`` writes the changes into the
    /// tables of the store (``RunTables``).
    struct RunRecorder {
        private let connection: PostgreSQLConnection
        private let layout: StoreLayout
        private let refusal: RevertRefusal
        private let tables: [RecordedTable]
        /// The names of the tables that had rows.
        private let filled: Set<String>

        /// In the names of triggers. It comes before `derived `, so that rows are copied before derived attributes change.
        private static let infix = "before "
        private static let before = "pg_temp.granary_before"

        /// Begins to record, at the start of a transaction that has the lock of ``RecordedTable/lock(_:)``.
        ///
        /// - Throws: ``GranaryError``: `refused` if the ledger has the run, or rows of a table cannot be recorded.
        init(_ store: PostgreSQLStore, run: String) throws {
            (connection, layout) = (store.connection, store.layout)
            refusal = try RevertRefusal(store: store.source, run: run)
            try refusal.checkIsNew(in: try store.readMetadata().importLedger)
            try RunTables.create(connection, layout)
            tables = try RecordedTable.all(connection, layout)
            try RecordedTable.checkTriggers(
                of: tables, before: StatementTriggers.prefix + Self.infix, connection, layout)
            try connection.execute(
                """
                \(RecordedTable.settings);
                CREATE TEMP TABLE granary_before (place text, key bigint, member bigint, before text,
                    PRIMARY KEY (place, key, member)) ON COMMIT DROP
                """)
            var filled: Set<String> = []
            for table in tables {
                guard try connection.query("SELECT 1 FROM \(table.qualified) LIMIT 1").rowCount > 0 else { continue }
                filled.insert(table.name)
            }
            self.filled = filled
            let statements = tables.filter { filled.contains($0.name) }.flatMap(triggers)
            if !statements.isEmpty { try connection.execute(statements.joined(separator: ";\n")) }
        }

        private func triggers(of table: RecordedTable) -> [String] {
            let (before, after) = (StatementTriggers.before, StatementTriggers.after)
            func keep(_ values: String, _ rows: String) -> String {
                "INSERT INTO \(Self.before) SELECT \(table.literal), \(table.keys("r")), \(values) FROM \(rows) r "
                    + "ON CONFLICT DO NOTHING"
            }
            let old = keep(table.values("r"), before)
            return StatementTriggers(layout: layout, infix: Self.infix).creationSQL(
                on: table.name, ["INSERT": [keep("NULL", after)], "UPDATE": [old], "DELETE": [old]])
        }

        /// Ends recording and writes the changes. Call before the commit, when no constraint is left to be checked.
        ///
        /// - Parameter number: the number of the transaction in the history; nil if it is not in one.
        func finish(transaction number: Int64?) throws {
            let triggers = StatementTriggers(layout: layout, infix: Self.infix)
            let removal = triggers.removalSQL(of: tables.map(\.name).filter(filled.contains))
            if let removal { try connection.execute(removal) }
            // The data of a run that is not in the ledger.
            try RunTables.remove(refusal.run, connection, layout)
            var own = SQLParameters()
            own.add(refusal.run)
            for table in tables {
                try connection.query(filled.contains(table.name) ? changes(of: table) : newRows(of: table), own)
            }
            var parameters = own
            parameters.add(try RunTables.layoutDigest(connection, layout))
            parameters.add(number)
            try connection.query(
                """
                INSERT INTO \(layout.qualified(RunTables.run)) (run, layout, transaction, bytes) SELECT $1, $2, $3, coalesce(sum(
                    octet_length(place) + 17 + coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)), 0)
                FROM \(layout.qualified(RunTables.row)) WHERE run = $1
                """, parameters)
            try connection.execute("DROP TABLE \(Self.before)")
        }

        private var insertion: String {
            "INSERT INTO \(layout.qualified(RunTables.row)) (run, place, key, member, before, after, raised)"
        }

        private func newRows(of table: RecordedTable) -> String {
            "\(insertion) SELECT $1, \(table.literal), \(table.keys("t")), NULL, \(RecordedTable.digest(table.values("t"))), false "
                + "FROM \(table.qualified) t"
        }

        /// The rows that are not as before.
        private func changes(of table: RecordedTable) -> String {
            """
            \(insertion) SELECT $1, \(table.literal), s.key, s.member, s.before, \(RecordedTable.digest("s.now")),
                \(table.hasObjects ? Self.isRaised : "false")
            FROM (SELECT b.key, b.member, b.before, \(table.present("t")) AS now
                FROM \(Self.before) b LEFT JOIN \(table.qualified) t ON \(table.isRow("t", "b")) WHERE b.place = \(table.literal)
                OFFSET 0) s
            WHERE s.before IS DISTINCT FROM s.now
            """
        }

        /// Whether the version, the first value, is one higher and all others are the same.
        private static var isRaised: String {
            func rest(_ text: String) -> String { "substr(\(text), strpos(\(text), ','))" }
            func version(_ text: String) -> String { "ltrim(split_part(\(text), ',', 1), '(')::numeric" }
            return
                "coalesce(\(rest("s.before")) = \(rest("s.now")) AND \(version("s.before")) + 1 = \(version("s.now")), false)"
        }
    }
#endif
