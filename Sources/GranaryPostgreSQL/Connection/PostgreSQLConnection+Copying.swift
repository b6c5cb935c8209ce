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
            try send { PQsendQuery(handle, sql) }
            guard let start = try nextResult() else { throw failure }
            guard PQresultStatus(start.pointer) == PGRES_COPY_IN else {
                let error = PostgreSQLError(start.pointer, source: source)
                _ = try? results()
                throw error
            }
            var buffer = FieldBuffer()
            buffer.appendCopyHeader()
            do {
                try body(&buffer) { buffer in
                    if buffer.bytes.count >= Self.copyBytes { try put(&buffer) }
                }
                buffer.appendCopyEnd()
                try put(&buffer)
            } catch let error {
                _ = PQputCopyEnd(handle, "no more rows")
                // A refusal of the server is the reason why the connection takes no more data.
                do { try finishCopy() } catch let refusal as PostgreSQLError where error is PostgreSQLError {
                    throw refusal
                } catch {}
                throw error
            }
            guard try retrying({ PQputCopyEnd(handle, nil) }) else { throw failure }
            try finishCopy()
        }

        private func finishCopy() throws {
            try Cancellation.$current.withValue(nil) {
                try flush()
                _ = try results()
            }
        }

        private func put(_ buffer: inout FieldBuffer) throws {
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
