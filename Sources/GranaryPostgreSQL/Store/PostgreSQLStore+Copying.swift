#if PostgreSQL
    import GranaryBase
    import GranaryCoordination

    /// Reading of large tables by COPY. A second connection sends the rows, because a cursor on the first one takes a round
    /// trip for each few rows, and COPY would keep the first one from answering other queries meanwhile.
    extension PostgreSQLStore {
        /// Returns a connection that sees the same state as the open transaction; nil if the table is small, if the
        /// transaction could have written, or if there is no such connection. Then the rows are read with a cursor.
        func copyingConnection(for table: EntityTable) throws -> PostgreSQLConnection? {
            guard isReadingOnly, connection.depth == 1, let connect else { return nil }
            var parameters = SQLParameters()
            parameters.add(layout.qualified(table.name))
            // A standby server may refuse to export its state, which would end the transaction.
            let size = "SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_relation_size($1::regclass) END"
            let bytes = try connection.query(size, parameters).integer(0, 0) ?? 0
            guard bytes >= copiedBytes else { return nil }
            if let free = copiers.popLast() {
                if !free.isSpent { return free }
            }
            let snapshot = try connection.query("SELECT pg_export_snapshot()").text(0, 0) ?? ""
            // With several hosts, the second connection can be to another server, which does not know the state.
            guard let other = try? connect(),
                (try? other.execute(
                    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT \(SQLIdentifier.literal(snapshot))"
                )) != nil
            else { return nil }
            return other
        }
    }
#endif
