#if PostgreSQL
    import GranaryBase
    import GranaryCoordination

    /// Reading of large tables by COPY. A second connection sends the rows, because a cursor on the first one takes a round
    /// trip for each few rows, and COPY would keep the first one from answering other queries meanwhile.
    extension PostgreSQLStore {
        /// Returns a connection that sees the same state as the open transaction; nil if the table is small, or if the
        /// transaction could have written.
        func copyingConnection(for table: EntityTable) throws -> PostgreSQLConnection? {
            guard isReadingOnly, connection.depth == 1, let connect else { return nil }
            var parameters = SQLParameters()
            parameters.add(layout.qualified(table.name))
            let bytes = try connection.query("SELECT pg_relation_size($1::regclass)", parameters).integer(0, 0) ?? 0
            guard bytes >= copiedBytes else { return nil }
            if let free = copiers.popLast() {
                if !free.isSpent { return free }
            }
            let snapshot = try connection.query("SELECT pg_export_snapshot()").text(0, 0) ?? ""
            // Without a further connection, the rows are read with a cursor.
            guard let other = try? connect() else { return nil }
            try other.execute(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT \(SQLIdentifier.literal(snapshot))"
            )
            return other
        }
    }
#endif
