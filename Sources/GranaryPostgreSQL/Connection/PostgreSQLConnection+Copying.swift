#if PostgreSQL
    import GranaryBase
    import GranaryCLibPQ

    extension PostgreSQLConnection {
        /// The size at which bytes are passed to libpq.
        static let copyBytes = 256 << 10

        /// Runs `COPY … FROM STDIN (FORMAT binary)`.
        ///
        /// - Parameter body: appends rows to the buffer, and calls its argument after each row. If it throws, the server gets
        ///   an error instead of the end, and no row is stored.
        /// - Throws: ``PostgreSQLError`` if the server refuses a row; any error from `body`.
        func copy(_ sql: String, _ body: (inout FieldBuffer, (inout FieldBuffer) throws -> Void) throws -> Void) throws
        {
            var buffer = FieldBuffer()
            try beginCopy(sql, &buffer)
            do {
                try body(&buffer) { buffer in
                    if buffer.bytes.count >= Self.copyBytes { try put(&buffer) }
                }
            } catch {
                throw abandonCopy(error)
            }
            try endCopy(&buffer)
        }

        /// Begins a COPY and appends its header to the buffer.
        func beginCopy(_ sql: String, _ buffer: inout FieldBuffer) throws {
            try send { PQsendQuery(handle, sql) }
            guard let start = try nextResult() else { throw failure }
            guard PQresultStatus(start.pointer) == PGRES_COPY_IN else {
                let error = PostgreSQLError(start.pointer, source: source)
                _ = try? results()
                throw error
            }
            buffer.appendCopyHeader()
        }

        /// Sends the rest of the rows and ends a COPY.
        func endCopy(_ buffer: inout FieldBuffer) throws {
            do {
                buffer.appendCopyEnd()
                try put(&buffer)
            } catch {
                throw abandonCopy(error)
            }
            guard try retrying({ PQputCopyEnd(handle, nil) }) else { throw failure }
            try finishCopy()
        }

        /// Ends a COPY with an error, so that no row is stored.
        ///
        /// - Returns: the refusal of the server if that is the reason why the connection takes no more data; otherwise
        ///   `error`.
        func abandonCopy(_ error: any Error) -> any Error {
            _ = PQputCopyEnd(handle, "no more rows")
            do { try finishCopy() } catch let refusal as PostgreSQLError where error is PostgreSQLError {
                return refusal
            } catch {}
            return error
        }

        private func finishCopy() throws {
            try Cancellation.$current.withValue(nil) {
                try flush()
                _ = try results()
            }
        }

        /// Sends the bytes of a buffer and empties it.
        func put(_ buffer: inout FieldBuffer) throws {
            try Cancellation.current?.check()
            var rest = 0
            while rest < buffer.bytes.count {
                // libpq counts bytes in 32 bits.
                let count = min(buffer.bytes.count - rest, 1 << 24)
                let isSent = try buffer.bytes.withUnsafeBytes { bytes in
                    try retrying {
                        PQputCopyData(
                            handle, bytes.baseAddress.map { ($0 + rest).assumingMemoryBound(to: CChar.self) },
                            Int32(count))
                    }
                }
                guard isSent else { throw failure }
                rest += count
            }
            try flush()
            buffer.removeAll()
        }

        /// Calls a function of libpq until its buffer takes the data. Returns whether it did.
        private func retrying(_ body: () -> Int32) throws -> Bool {
            while true {
                switch body() {
                case 1: return true
                case 0: try flush()
                default: return false
                }
            }
        }
    }
#endif
