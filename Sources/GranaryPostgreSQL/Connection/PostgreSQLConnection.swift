#if PostgreSQL
    import GranaryBase
    import GranaryCLibPQ

    /// A connection to a server. One thread at a time uses it.
    final class PostgreSQLConnection {
        /// The store in messages, without passwords.
        let source: String
        /// The connection of libpq. The deinitialiser closes it.
        let handle: OpaquePointer
        /// The first schema of the search path that exists.
        private(set) var currentSchema: String?
        /// How many transactions and savepoints are open.
        var depth = 0
        /// The names of prepared statements, by their SQL.
        private var prepared: [String: String] = [:]
        /// The number of cursors so far, for their names.
        var cursorCount = 0
        /// Whether it cannot run another statement, because a COPY has been left.
        var isSpent = false
        /// Work that is completed before the next statement; nil for none.
        private var deferred: (any DeferredWork)?

        /// Connects, within the parameter `connect_timeout` or 30 seconds.
        ///
        /// - Parameter lockTimeout: how long statements wait for locks of other transactions.
        /// - Throws: ``GranaryError``: `unreadable` if there is no connection; `refused` if the database is not in UTF-8;
        ///   `interrupted`.
        init(_ text: ConnectionText, lockTimeout: Duration) throws(GranaryError) {
            source = text.displayName
            handle = try Self.connect(text)
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            guard PQsetnonblocking(handle, 1) == 0 else { throw Self.failure(handle, source) }
            do throws(GranaryError) {
                try converting { try configure(lockTimeout) }
            } catch {
                PQfinish(handle)
                throw error
            }
        }

        deinit { PQfinish(handle) }

        private func configure(_ lockTimeout: Duration) throws {
            currentSchema = try query("SELECT current_schema()::text").text(0, 0)
            let milliseconds = max(1, min(lockTimeout / .milliseconds(1), 86_400_000))
            // Nobody else's functions and operators are found before those of the system.
            try execute(
                """
                SET search_path = pg_catalog, pg_temp; SET standard_conforming_strings = on; SET client_min_messages = error;
                SET extra_float_digits = 3; SET lock_timeout = \(Int(milliseconds)); SET idle_in_transaction_session_timeout = 0
                """)
            guard let encoding = PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }),
                encoding == "UTF8"
            else { throw GranaryError(.refused, "\(source): the database must have the encoding UTF8") }
        }

        /// Completes `work` before the next statement. The connection has no other deferred work.
        func deferWork(_ work: any DeferredWork) { deferred = work }

        /// Completes the deferred work, if there is any.
        func completeDeferredWork() throws {
            guard let work = deferred else { return }
            deferred = nil
            try work.complete()
        }

        /// Ends the deferred work without its effect.
        func abandonDeferredWork() {
            deferred?.abandon()
            deferred = nil
        }

        /// The name of a prepared statement; it is prepared at its first use.
        func prepare(_ sql: String, types: [SQLType]) throws -> String {
            if let name = prepared[sql] { return name }
            let name = "granary\(prepared.count + 1)"
            let identifiers = types.map(\.rawValue)
            try send { PQsendPrepare(handle, name, sql, Int32(identifiers.count), identifiers) }
            _ = try results().last
            prepared[sql] = name
            return name
        }

        /// The error of libpq itself.
        static func failure(_ handle: OpaquePointer, _ source: String) -> GranaryError {
            let message = PQerrorMessage(handle).map { String(cString: $0).trimmed } ?? "the connection failed"
            return PostgreSQLError(source: source, message: message).granaryError
        }

        var failure: PostgreSQLError {
            PostgreSQLError(
                source: source,
                message: PQerrorMessage(handle).map { String(cString: $0).trimmed } ?? "the connection failed")
        }
    }
#endif
