#if PostgreSQL
    /// A COPY that takes rows of many batches, until the connection is needed for another statement.
    final class CopyStream: DeferredWork {
        let sql: String
        private let connection: PostgreSQLConnection
        private var buffer = FieldBuffer()
        private(set) var isOpen = true

        struct RolledBack: Error {}

        init(_ connection: PostgreSQLConnection, _ sql: String) throws {
            self.connection = connection
            self.sql = sql
            try connection.beginCopy(sql, &buffer)
            connection.deferWork(self)
        }

        /// Adds a row; `body` appends its fields. If it throws, nothing is added.
        func add(_ body: (inout FieldBuffer) throws -> Void) throws {
            let start = buffer.bytes.count
            do { try body(&buffer) } catch {
                buffer.truncate(to: start)
                throw error
            }
            if buffer.bytes.count >= PostgreSQLConnection.copyBytes { try connection.put(&buffer) }
        }

        func complete() throws {
            isOpen = false
            try connection.endCopy(&buffer)
        }

        func abandon() {
            isOpen = false
            _ = connection.abandonCopy(RolledBack())
        }
    }
#endif
