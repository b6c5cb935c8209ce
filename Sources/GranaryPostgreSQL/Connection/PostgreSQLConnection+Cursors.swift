#if PostgreSQL
    import GranaryBase

    extension PostgreSQLConnection {
        /// The number of rows that a cursor fetches at once, so that the memory for a result is bounded.
        private static let fetchedRows = 500
        /// About how many bytes it fetches at once, if the next rows are as large as the last ones.
        private static let fetchedBytes = 4 << 20

        /// Runs a query through a cursor, inside a transaction, and passes its rows to `body` until that returns false.
        /// `body` may use the connection.
        func forEachRow(
            _ sql: String, _ parameters: SQLParameters = SQLParameters(),
            _ body: (PostgreSQLResult, Int) throws -> Bool
        ) throws {
            cursorCount += 1
            let name = "granary\(cursorCount)"
            try query("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", parameters)
            do {
                // The first rows come soon, and large ones one by one.
                var count = 16
                loop: while true {
                    let result = try query("FETCH FORWARD \(count) FROM \(name)")
                    var bytes = 0
                    for row in 0..<result.rowCount {
                        bytes += result.size(row)
                        guard try body(result, row) else { break loop }
                    }
                    if result.rowCount < count { break }
                    let average = max(1, bytes / max(1, count))
                    count = max(1, min(count * 2, Self.fetchedRows, Self.fetchedBytes / average))
                }
            } catch {
                // A failed statement has ended the transaction with its cursors, but an error of `body` has not.
                if !(error is PostgreSQLError) { _ = try? execute("CLOSE \(name)") }
                throw error
            }
            try execute("CLOSE \(name)")
        }
    }
#endif
