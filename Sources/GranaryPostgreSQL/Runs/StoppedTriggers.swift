#if PostgreSQL
    /// Triggers that do not run until ``resume()``, or until the transaction is rolled back.
    struct StoppedTriggers {
        private let connection: PostgreSQLConnection
        private let resumption: [String]

        /// Stops all triggers of tables that are not stopped yet, except those of foreign keys.
        init(_ tables: [RecordedTable], _ connection: PostgreSQLConnection, _ layout: StoreLayout) throws {
            self.connection = connection
            var parameters = SQLParameters()
            parameters.add(layout.namespace)
            parameters.add(list: tables.map(\.name))
            let found = try connection.query(
                """
                SELECT c.relname::text, g.tgname::text, g.tgenabled::text FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
                WHERE c.relnamespace = to_regnamespace($1)::oid AND c.relname = ANY($2) AND NOT g.tgisinternal
                    AND g.tgenabled <> 'D' ORDER BY 1, 2
                """, parameters)
            var (stops, resumption): ([String], [String]) = ([], [])
            for row in 0..<found.rowCount {
                guard let table = found.text(row, 0), let trigger = found.text(row, 1) else { continue }
                let name = "TRIGGER \(SQLIdentifier.quoted(trigger))"
                let mode =
                    switch found.text(row, 2) {
                    case "A": "ALWAYS "
                    case "R": "REPLICA "
                    default: ""
                    }
                stops.append("ALTER TABLE \(layout.qualified(table)) DISABLE \(name)")
                resumption.append("ALTER TABLE \(layout.qualified(table)) ENABLE \(mode)\(name)")
            }
            self.resumption = resumption
            if !stops.isEmpty { try connection.execute(stops.joined(separator: "; ")) }
        }

        func resume() throws {
            if !resumption.isEmpty { try connection.execute(resumption.joined(separator: "; ")) }
        }
    }
#endif
