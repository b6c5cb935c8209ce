#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCLibPQ

    extension PostgreSQLConnection {
        /// Runs statements without parameters; their rows are ignored.
        func execute(_ sql: String) throws {
            try send { PQsendQuery(handle, sql) }
            _ = try results()
        }

        /// Runs one statement with bound parameters and returns its rows in the binary format.
        @discardableResult
        func query(_ sql: String, _ parameters: SQLParameters = SQLParameters()) throws -> PostgreSQLResult {
            let types = parameters.types.map(\.rawValue)
            try parameters.withPointers { values, lengths, formats in
                try send {
                    PQsendQueryParams(handle, sql, Int32(lengths.count), types, values, lengths, formats, 1)
                }
            }
            return try lastResult()
        }

        /// Runs a statement that is prepared once for the connection.
        @discardableResult
        func run(_ sql: String, _ parameters: SQLParameters) throws -> PostgreSQLResult {
            // It can prepare statements, too.
            try completeDeferredWork()
            let name = try prepare(sql, types: parameters.types)
            try parameters.withPointers { values, lengths, formats in
                try send { PQsendQueryPrepared(handle, name, Int32(lengths.count), values, lengths, formats, 1) }
            }
            return try lastResult()
        }

        private func lastResult() throws -> PostgreSQLResult {
            guard let result = try results().last else { throw failure }
            return result
        }

        /// Sends a command, after deferred work. libpq copies what it is given.
        func send(_ body: () -> Int32) throws {
            try Cancellation.current?.check()
            try completeDeferredWork()
            guard body() == 1 else { throw failure }
            try flush()
        }

        /// Sends what libpq has kept, and reads meanwhile: the server could wait for that.
        func flush() throws {
            while true {
                switch PQflush(handle) {
                case 0: return
                case 1:
                    try waitOrCancel(POLLIN | POLLOUT)
                    guard PQconsumeInput(handle) == 1 else { throw failure }
                default: throw failure
                }
            }
        }

        /// Reads all results of the commands sent.
        ///
        /// - Throws: ``PostgreSQLError`` for the first that failed, after the others were read.
        func results() throws -> [PostgreSQLResult] {
            var results: [PostgreSQLResult] = []
            var first: PostgreSQLError?
            while let result = try nextResult() {
                switch PQresultStatus(result.pointer) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: results.append(result)
                case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                    throw GranaryError(.internalDefect, "\(source): a statement copies data unexpectedly")
                default: first = first ?? PostgreSQLError(result.pointer, source: source)
                }
            }
            if let first { throw first }
            return results
        }

        /// The next result of the commands sent; nil after the last one.
        func nextResult() throws -> PostgreSQLResult? {
            while PQisBusy(handle) == 1 { try waitForInput() }
            return PQgetResult(handle).map(PostgreSQLResult.init)
        }

        /// Waits until the server has sent something, and reads it.
        func waitForInput() throws {
            try waitOrCancel(POLLIN)
            guard PQconsumeInput(handle) == 1 else { throw failure }
        }

        /// Waits for the server. If the work is interrupted, the server ends the statement and the rest is read.
        private func waitOrCancel(_ events: Int32) throws {
            while !Self.poll(PQsocket(handle), Int16(truncatingIfNeeded: events)) {
                guard Cancellation.current?.isCancelled == true else { continue }
                cancel()
                try Cancellation.current?.check()
            }
        }

        /// Asks the server to end the running statement, and reads the rest of its results.
        func cancel() {
            guard let request = PQgetCancel(handle) else { return }
            defer { PQfreeCancel(request) }
            var message = [CChar](repeating: 0, count: 256)
            guard PQcancel(request, &message, Int32(message.count)) == 1 else { return }
            while let result = PQgetResult(handle) {
                let status = PQresultStatus(result)
                PQclear(result)
                if status == PGRES_COPY_IN { PQputCopyEnd(handle, "interrupted") }
            }
        }
    }
#endif
