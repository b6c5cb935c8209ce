#if PostgreSQL
    import GranaryBase
    import GranaryCLibPQ

    extension PostgreSQLConnection {
        /// Runs `body` in a transaction, or inside an open one in a savepoint. An error rolls back.
        ///
        /// - Parameter beginning: the command that begins a transaction.
        func transaction<Result>(_ beginning: String, _ body: () throws -> Result) throws -> Result {
            try depth == 0 ? outermost(beginning, body) : nested(body)
        }

        private func outermost<Result>(_ beginning: String, _ body: () throws -> Result) throws -> Result {
            depth = 1
            defer { depth = 0 }
            do {
                try execute(beginning)
                let result = try body()
                try Cancellation.current?.check()
                try commit()
                return result
            } catch {
                rollBack("ROLLBACK")
                throw error
            }
        }

        /// Commits the transaction.
        func commit() throws {
            try completeDeferredWork()
            do { try execute("COMMIT") } catch var error as PostgreSQLError {
                error.isOfCommit = true
                throw error
            }
        }

        private func nested<Result>(_ body: () throws -> Result) throws -> Result {
            let name = "granary\(depth)"
            try execute("SAVEPOINT \(name)")
            depth += 1
            defer { depth -= 1 }
            do {
                let result = try body()
                try execute("RELEASE SAVEPOINT \(name)")
                return result
            } catch {
                rollBack("ROLLBACK TO SAVEPOINT \(name); RELEASE SAVEPOINT \(name)")
                throw error
            }
        }

        /// Rolls back, also after an interruption. If the connection is lost, the server has rolled back.
        func rollBack(_ command: String) {
            abandonDeferredWork()
            guard PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
            _ = Cancellation.$current.withValue(nil) { try? execute(command) }
        }
    }
#endif
