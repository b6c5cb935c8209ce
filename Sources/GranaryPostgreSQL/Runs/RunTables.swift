#if PostgreSQL
    /// The tables with the data to revert runs (docs/postgresql.md#reverting-runs). The first revertible run creates them.
    /// Names of a model have no `$`, so they are no entities.
    enum RunTables {
        /// One row for each run that can be reverted.
        static let run = "granary$run"
        /// The rows that a run changed.
        static let row = "granary$run_row"

        static let names = [row, run]

        static func creationSQL(_ layout: StoreLayout) -> [String] {
            let (run, row) = (layout.qualified(run), layout.qualified(row))
            return [
                """
                CREATE TABLE \(run) (run text PRIMARY KEY, layout text NOT NULL, transaction bigint, bytes bigint NOT NULL DEFAULT 0)
                """,
                """
                CREATE TABLE \(row) (run text NOT NULL, place text NOT NULL, key bigint NOT NULL, member bigint NOT NULL,
                    before text, after bytea, raised boolean NOT NULL, PRIMARY KEY (run, place, key, member))
                """,
                "COMMENT ON TABLE \(run) IS 'The imports that granary store revert can undo'",
                "COMMENT ON COLUMN \(run).layout IS 'A digest of the columns, constraints, indexes and triggers of the tables'",
                "COMMENT ON COLUMN \(run).transaction IS 'The number of the run in the persistent history'",
                "COMMENT ON TABLE \(row) IS 'The rows that these imports have changed'",
                "COMMENT ON COLUMN \(row).place IS 'The table'",
                "COMMENT ON COLUMN \(row).key IS 'The key of the object, or the owner in a table of links'",
                "COMMENT ON COLUMN \(row).member IS 'The member in a table of links, otherwise 0'",
                "COMMENT ON COLUMN \(row).before IS 'The values before the import; NULL for a new row'",
                "COMMENT ON COLUMN \(row).after IS 'A digest of the values after the import; NULL for a deleted row'",
                "COMMENT ON COLUMN \(row).raised IS 'Whether only the version is another one, because a link has changed'",
            ]
        }

        /// Whether a store has the tables.
        static func exist(_ connection: PostgreSQLConnection, _ layout: StoreLayout) throws -> Bool {
            var parameters = SQLParameters()
            parameters.add(layout.qualified(run))
            return try connection.query("SELECT to_regclass($1)::oid::bigint", parameters).integer(0, 0) != nil
        }

        /// The names of the tables that a store has.
        static func names(in connection: PostgreSQLConnection, _ layout: StoreLayout) throws -> [String] {
            try exist(connection, layout) ? names : []
        }

        /// Creates the tables if they are missing, inside a transaction that has locked the store.
        static func create(_ connection: PostgreSQLConnection, _ layout: StoreLayout) throws {
            guard try !exist(connection, layout) else { return }
            try connection.execute(creationSQL(layout).joined(separator: ";\n"))
            var parameters = SQLParameters()
            parameters.add(list: names)
            try connection.query("UPDATE \(layout.storeTable) SET tables = tables || $1", parameters)
        }

        /// Removes the data of a run.
        static func remove(_ run: String, _ connection: PostgreSQLConnection, _ layout: StoreLayout) throws {
            var parameters = SQLParameters()
            parameters.add(run)
            for name in names {
                try connection.query("DELETE FROM \(layout.qualified(name)) WHERE run = $1", parameters)
            }
        }

        /// A digest of the columns, constraints, indexes and triggers of a store's tables. A run can be reverted only while
        /// they are unchanged.
        static func layoutDigest(_ connection: PostgreSQLConnection, _ layout: StoreLayout) throws -> String {
            var parameters = SQLParameters()
            parameters.add(layout.namespace)
            parameters.add(list: layout.allNames)
            let result = try connection.query(
                """
                WITH t AS (SELECT oid, relname::text AS name FROM pg_class
                    WHERE relnamespace = to_regnamespace($1)::oid AND relname = ANY($2)),
                parts(definition) AS (
                    SELECT concat_ws(' ', t.name, 'column', a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull)
                    FROM pg_attribute a JOIN t ON t.oid = a.attrelid WHERE a.attnum > 0 AND NOT a.attisdropped
                    UNION ALL SELECT concat_ws(' ', t.name, 'constraint', o.conname, pg_get_constraintdef(o.oid))
                    FROM pg_constraint o JOIN t ON t.oid = o.conrelid
                    UNION ALL SELECT concat_ws(' ', t.name, 'index', pg_get_indexdef(x.indexrelid))
                    FROM pg_index x JOIN t ON t.oid = x.indrelid
                    UNION ALL SELECT concat_ws(' ', t.name, 'trigger', pg_get_triggerdef(g.oid))
                    FROM pg_trigger g JOIN t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal)
                SELECT encode(sha256(convert_to(string_agg(definition, E'\\n' ORDER BY definition COLLATE "C"), 'UTF8')), 'hex')
                FROM parts
                """, parameters)
            return result.text(0, 0) ?? ""
        }
    }
#endif
