#if PostgreSQL
    import GranaryCoordination

    /// A table whose rows can be recorded and restored.
    struct RecordedTable {
        let name: String
        /// With its schema, quoted.
        let qualified: String
        /// Whether its rows are objects; otherwise they are links.
        let hasObjects: Bool
        /// The columns that can be written, quoted; of objects the version first.
        private(set) var columns: [String] = []
        /// The columns in unique indexes that can be NULL. They are NULL while rows exchange their values.
        private(set) var uniqueColumns: [String] = []

        /// The name as an SQL literal.
        var literal: String { SQLIdentifier.literal(name) }

        /// The columns that name a row.
        var key: [String] { hasObjects ? [PostgreSQLStore.key] : [JoinTable.owner, JoinTable.member] }

        /// The columns that are restored in a row that exists.
        var valueColumns: [String] { columns.filter { !key.contains($0) } }

        /// The key of a row, as two columns.
        func keys(_ alias: String) -> String {
            key.map { "\(alias).\($0)" }.joined(separator: ", ") + (hasObjects ? ", 0::bigint" : "")
        }

        /// The condition that a row has the key in the columns `key` and `member` of another one.
        func isRow(_ alias: String, _ other: String) -> String {
            zip(key, ["key", "member"]).map { "\(alias).\($0) = \(other).\($1)" }.joined(separator: " AND ")
        }

        /// All values of a row, as a text. The transaction has the ``settings``.
        func values(_ alias: String) -> String {
            "ROW(\(columns.map { "\(alias).\($0)" }.joined(separator: ", ")))::text"
        }

        /// All values of a row of an outer join; NULL if there is none.
        func present(_ alias: String) -> String {
            "CASE WHEN (\(key.map { "\(alias).\($0)" }.joined(separator: ", "))) IS NOT NULL THEN \(values(alias)) END"
        }

        /// Values that are equal have the same text, and the text has all digits.
        static let settings = """
            SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL datestyle = 'ISO, YMD';
            SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC'
            """

        /// The first half of the SHA-256 of a text.
        static func digest(_ text: String) -> String { "substring(sha256(convert_to(\(text), 'UTF8')) for 16)" }

        /// The statement that keeps all tables as they are for other writers. Writers of Granary wait for the first lock.
        static func lock(_ layout: StoreLayout) -> String {
            let names =
                [layout.storeTable] + (layout.joinTables.map(\.name) + layout.tables.map(\.name)).map(layout.qualified)
            return "LOCK TABLE \(names.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE"
        }

        /// The tables with the rows of a store.
        ///
        /// - Throws: ``GranaryError`` with code `refused` for a table that somebody has replaced by something else.
        static func all(_ connection: PostgreSQLConnection, _ layout: StoreLayout) throws -> [RecordedTable] {
            var tables = layout.tables.map {
                RecordedTable(name: $0.name, qualified: layout.qualified($0.name), hasObjects: true)
            }
            tables += layout.joinTables.map {
                RecordedTable(name: $0.name, qualified: layout.qualified($0.name), hasObjects: false)
            }
            var parameters = SQLParameters()
            parameters.add(layout.namespace)
            parameters.add(list: tables.map(\.name))
            // A generated column follows from the others.
            let result = try connection.query(
                """
                SELECT c.relname::text, a.attname::text, (NOT a.attnotnull AND EXISTS (SELECT FROM pg_index x
                    WHERE x.indrelid = c.oid AND x.indisunique AND a.attnum = ANY(x.indkey)))::integer
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = to_regnamespace($1)::oid AND c.relname = ANY($2) AND c.relkind = 'r' AND a.attnum > 0
                    AND NOT a.attisdropped AND a.attgenerated = ''
                ORDER BY c.relname, a.attname <> \(SQLIdentifier.literal(EntityTable.version)), a.attnum
                """, parameters)
            let places = Dictionary(tables.enumerated().map { ($1.name, $0) }) { first, _ in first }
            for row in 0..<result.rowCount {
                guard let name = result.text(row, 0), let column = result.text(row, 1), let place = places[name] else {
                    continue
                }
                let quoted = SQLIdentifier.quoted(column)
                // The columns of links need no quotes; their names are compared.
                tables[place].columns.append(tables[place].key.contains(column) ? column : quoted)
                if result.integer(row, 2) == 1 { tables[place].uniqueColumns.append(quoted) }
            }
            for table in tables where !Set(table.key).isSubset(of: table.columns) {
                throw RevertRefusal.unrecordable(connection.source, table: table.name, "is not an ordinary table")
            }
            return tables
        }

        /// Checks that no trigger of others can change a row before it is recorded: such a trigger runs for each row, or
        /// its name comes first.
        static func checkTriggers(
            of tables: [RecordedTable], before name: String, _ connection: PostgreSQLConnection, _ layout: StoreLayout
        ) throws {
            var parameters = SQLParameters()
            parameters.add(layout.namespace)
            parameters.add(list: tables.map(\.name))
            parameters.add(name)
            // The bits of `tgtype` (pg_trigger.h): 1 for each row, 2 before, 64 instead of the operation.
            let found = try connection.query(
                """
                SELECT c.relname::text, g.tgname::text FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
                WHERE c.relnamespace = to_regnamespace($1)::oid AND c.relname = ANY($2) AND NOT g.tgisinternal
                    AND g.tgenabled <> 'D' AND g.tgtype & 66 = 0
                    AND (g.tgtype & 1 = 1 OR g.tgname::text COLLATE "C" < $3 COLLATE "C") ORDER BY 1, 2 LIMIT 1
                """, parameters)
            guard let table = found.text(0, 0), let trigger = found.text(0, 1) else { return }
            throw RevertRefusal.unrecordable(
                connection.source, table: table,
                "has the trigger \"\(trigger)\", which can change rows before they are recorded")
        }
    }
#endif
