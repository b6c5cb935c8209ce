#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLStore {
        /// Whether a store has the tables of a history.
        static func hasHistory(_ connection: PostgreSQLConnection, _ layout: StoreLayout) throws -> Bool {
            var parameters = SQLParameters()
            parameters.add(layout.qualified(HistoryTables.counter))
            return try connection.query("SELECT to_regclass($1)::oid::bigint", parameters).integer(0, 0) != nil
        }

        /// Begins a history, unless there is one.
        func startHistory() throws {
            guard !layout.hasHistory else { return }
            var recorded = layout
            recorded.hasHistory = true
            try transaction { _ in
                // Another process may have begun one meanwhile.
                guard try !Self.hasHistory(connection, layout) else { return }
                let statements =
                    HistoryTables.creationSQL(recorded) + HistoryTriggers(recorded, schema).creationSQL()
                try connection.execute(statements.joined(separator: ";\n"))
                var parameters = SQLParameters()
                parameters.add(list: recorded.allNames + (try RunTables.names(in: connection, layout)))
                try connection.query("UPDATE \(layout.storeTable) SET tables = $1", parameters)
            }
            layout = recorded
        }

        /// Creates the triggers that record changes, inside a transaction.
        func recordChanges() throws {
            try connection.execute(HistoryTriggers(layout, schema).creationSQL().joined(separator: ";\n"))
        }

        // MARK: - Writing

        /// Completes what the triggers have recorded of the open transaction.
        ///
        /// - Returns: the number of the transaction; nil if nothing has changed.
        func finishHistory() throws -> Int64? {
            guard layout.hasHistory else { return nil }
            let setting = HistoryTables.setting(layout)
            let number = try connection.query("SELECT nullif(current_setting(\(setting), true), '')::bigint").integer(
                0, 0)
            guard let number else { return nil }
            let transaction = layout.qualified(HistoryTables.transaction)
            let change = layout.qualified(HistoryTables.change)
            let this = SQLParameters(number)
            try connection.query("DELETE FROM \(change) WHERE transaction = $1 AND kind = 'gone'", this)
            var parameters = this
            let names = [
                author.name, author.contextName, Bundle.main.bundleIdentifier, ProcessInfo.processInfo.processName,
            ]
            for name in names { parameters.add(text: name?.replacing("\0", with: "\u{fffd}")) }
            let isRecorded =
                try connection.query(
                    """
                    UPDATE \(transaction) SET author = $2, context = $3, bundle = $4, process = $5
                    WHERE number = $1 AND EXISTS (SELECT FROM \(change) WHERE transaction = $1)
                    """, parameters
                ).changes == 1
            if !isRecorded {
                try connection.query("DELETE FROM \(transaction) WHERE number = $1", this)
                try connection.query("UPDATE \(layout.qualified(HistoryTables.counter)) SET last = $1 - 1", this)
            }
            // Until a new store is published, its transactions are parts of one.
            try connection.query("SELECT set_config(\(setting), '', true)")
            return isRecorded ? number : nil
        }

        /// Notes a committed transaction.
        func noteRecorded(_ number: Int64?) {
            guard let number else { return }
            lastRecordedTransaction = number
            ownTransactions += 1
            for reference in transactionLogs { reference.log?.add(number) }
        }

        func setAuthor(_ author: String?, contextName: String?) { self.author = (author, contextName) }

        func add(_ log: TransactionLog) {
            transactionLogs.removeAll { $0.log == nil }
            transactionLogs.append(TransactionLog.Reference(log))
        }

        // MARK: - Numbers

        /// The number of transactions of others in the history, with an offset.
        func dataVersion() throws -> Int64? {
            try lastHistoryTransaction().map { $0 &- ownTransactions }
        }

        func lastHistoryTransaction() throws(GranaryError) -> Int64? {
            guard layout.hasHistory else { return nil }
            return try converting {
                try connection.query("SELECT last FROM \(layout.qualified(HistoryTables.counter))").integer(0, 0) ?? 0
            }
        }

        // MARK: - Removing

        @discardableResult
        func deleteHistory(before number: Int64) throws(GranaryError) -> Int {
            try deleteHistory("$1", SQLParameters(number))
        }

        @discardableResult
        func deleteHistory(before date: Date) throws(GranaryError) -> Int {
            // If the clock was set back, transactions after one that remains are kept: tokens cannot show such a gap.
            var parameters = SQLParameters()
            parameters.add(.doublePrecision) { $0.appendField(date.timeIntervalSinceReferenceDate) }
            return try deleteHistory(
                "coalesce((SELECT min(number) FROM \(layout.qualified(HistoryTables.transaction)) WHERE "
                    + "\(Self.seconds) >= $1), \(Int64.max))", parameters)
        }

        /// The time of a transaction in seconds since 2001.
        static let seconds = "(extract(epoch FROM written)::double precision - 978307200)"

        private func deleteHistory(_ first: String, _ parameters: SQLParameters) throws(GranaryError) -> Int {
            guard layout.hasHistory else { return 0 }
            guard !isReadOnly else { throw GranaryError(.usage, "\(source): the store was opened for reading only") }
            return try converting {
                try connection.transaction("BEGIN") {
                    let transaction = layout.qualified(HistoryTables.transaction)
                    try connection.query(
                        "DELETE FROM \(layout.qualified(HistoryTables.change)) WHERE transaction < \(first)", parameters
                    )
                    return try connection.query("DELETE FROM \(transaction) WHERE number < \(first)", parameters)
                        .changes
                }
            }
        }
    }
#endif
