#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPropertyLists

    /// A store in the tables of a PostgreSQL schema.
    final class PostgreSQLStore: StoreBackend {
        let schema: Schema
        var layout: StoreLayout
        let connection: PostgreSQLConnection
        let isReadOnly: Bool
        /// By the index of the root entity; nil for other entities.
        let plans: [RowPlan?]
        let derivedTexts: DerivedTexts
        private(set) lazy var encoder = CopyRowEncoder(self)
        /// As read at the beginning or last written; a transaction that writes reads it again.
        var metadata: StoreMetadata
        /// Opens another connection to the store.
        let connect: (() throws -> PostgreSQLConnection)?
        /// Connections that have the state of the open transaction for reading, and are not in use.
        var copiers: [PostgreSQLConnection] = []
        /// Whether the open transaction is one of ``reading(_:)``, which cannot write.
        private(set) var isReadingOnly = false
        /// The size of the smallest table that is read by COPY.
        var copiedBytes: Int64 = 4 << 20
        /// What a new store does not have yet.
        var pendingKeys: PendingKeys
        /// Whether the transaction that creates the store is open. It ends with ``publish()``, or is rolled back with the
        /// connection.
        private(set) var isUnpublished: Bool
        /// Who the history says has made the next transactions.
        var author: (name: String?, contextName: String?)
        /// The number of the last history transaction that this connection wrote; nil if it wrote none.
        var lastRecordedTransaction: Int64?
        /// How many history transactions this connection wrote.
        var ownTransactions: Int64 = 0
        var transactionLogs: [TransactionLog.Reference] = []

        var identifier: String { metadata.identifier }
        var source: String { connection.source }

        var capabilities: StoreCapabilities { [.exactDecimals, .history, .revertibleRuns, .userMetadata] }

        init(
            _ connection: PostgreSQLConnection, schema: Schema, layout: StoreLayout, metadata: StoreMetadata,
            isReadOnly: Bool = false, isUnpublished: Bool = false, pendingKeys: PendingKeys = PendingKeys(),
            connect: (() throws -> PostgreSQLConnection)? = nil
        ) {
            self.connection = connection
            self.schema = schema
            self.layout = layout
            self.metadata = metadata
            self.isReadOnly = isReadOnly
            self.isUnpublished = isUnpublished
            self.pendingKeys = pendingKeys
            self.connect = connect
            var plans = [RowPlan?](repeating: nil, count: schema.entities.count)
            for table in layout.tables { plans[table.root] = RowPlan(table, layout, schema) }
            self.plans = plans
            derivedTexts = DerivedTexts(layout, schema)
        }

        /// The plan of an entity's table.
        func plan(of entity: Int) -> RowPlan? {
            schema.entities.indices.contains(entity) ? plans[schema.entities[entity].root] : nil
        }

        func publish() throws(GranaryError) {
            guard isUnpublished else { return }
            try converting {
                try completeAllKeys()
                try connection.commit()
            }
            connection.depth = 0
            isUnpublished = false
        }

        // MARK: - Transactions

        func reading<Result>(_ body: () throws -> Result) throws -> Result {
            guard connection.depth == 0 else { return try translating(body) }
            isReadingOnly = true
            defer {
                isReadingOnly = false
                // Their transactions end with them.
                copiers = []
            }
            return try translating {
                try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
            }
        }

        func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
            try transaction(recording: nil, body)
        }

        func transaction<Result>(
            recording run: String?, _ body: (any StoreWriter) throws -> Result
        ) throws -> Result {
            guard !isReadOnly else { throw GranaryError(.usage, "\(source): the store was opened for reading only") }
            let before = (metadata, pendingKeys)
            var recorded: Int64?
            do {
                let result = try translating {
                    // The lock keeps other writers of Granary away, and is taken before the transaction has its snapshot.
                    let lock =
                        run == nil
                        ? "LOCK TABLE \(layout.storeTable) IN SHARE ROW EXCLUSIVE MODE" : RecordedTable.lock(layout)
                    return try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ; \(lock)") {
                        let recorder = try run.map { try RunRecorder(self, run: $0) }
                        let writer = PostgreSQLWriter(self)
                        let result = try body(writer)
                        // What is checked at the commit is checked here, while the constraint can be named.
                        if connection.depth == (isUnpublished ? 2 : 1) {
                            try writer.completeWrittenKeys()
                            // The keys that a run creates later would be changes of the tables.
                            if recorder != nil { try completeAllKeys() }
                            try completeDerivedTexts()
                            try writer.checkConstraints()
                            recorded = try finishHistory()
                            try recorder?.finish(transaction: recorded)
                            try writer.countChange()
                        }
                        return result
                    }
                }
                noteRecorded(recorded)
                return result
            } catch {
                (metadata, pendingKeys) = before
                throw error
            }
        }
    }
#endif
