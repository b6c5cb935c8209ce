#if PostgreSQL
    import GranaryBase
    import GranaryCLibPQ

    extension PostgreSQLConnection {
        /// Runs `COPY (query) TO STDOUT (FORMAT binary)` and passes its rows to `body` until that returns false. The server
        /// sends rows while `body` works. `body` cannot use this connection; after a stop or an error nobody can.
        func copyOut(_ query: String, _ body: (CopiedRow) throws -> Bool) throws {
            try send { PQsendQuery(handle, "COPY (\(query)) TO STDOUT (FORMAT binary)") }
            guard let start = try nextResult() else { throw failure }
            guard PQresultStatus(start.pointer) == PGRES_COPY_OUT else {
                let error = PostgreSQLError(start.pointer, source: source)
                _ = try? results()
                throw error
            }
            let row = CopiedRow()
            var header = CopiedRow.headerBytes
            while true {
                var message: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(handle, &message, 1)
                if count == 0 {
                    try waitForInput()
                    continue
                }
                if count == -1 { break }
                guard count > 0, let message else { throw failure }
                guard row.take(message, count: Int(count), skipping: header) else {
                    throw GranaryError(.internalDefect, "\(source): COPY has sent bytes that are not a row")
                }
                header = 0
                if row.isEnd { continue }
                guard try body(row) else { return }
            }
            _ = try results()
        }
    }
#endif
