#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// Writes rows and links into the tables, inside a transaction.
    final class PostgreSQLWriter: BulkStoreWriter {
        let store: PostgreSQLStore
        var writtenRows = 0
        /// Kept for its memory.
        var parameters = SQLParameters()
        let encoder: CopyRowEncoder
        /// Whether the keys of a new store's tables are created after the rows.
        private(set) var defersKeys = false
        /// The tables with new rows whose keys are pending.
        var writtenTables: Set<Int> = []
        /// The COPY that takes the next rows, while it is open.
        var stream: CopyStream?
        private(set) lazy var changes = ChangeQueue(self)
        /// The number of times to ask for consecutive keys while other sessions take keys, too.
        private static let keyAttempts = 100

        init(_ store: PostgreSQLStore) {
            self.store = store
            encoder = store.encoder
        }

        var connection: PostgreSQLConnection { store.connection }
        var layout: StoreLayout { store.layout }
        var schema: Schema { store.schema }

        // MARK: - Keys

        func reserveKeys(root: Int, count: Int) throws -> Int64 {
            let table = layout.table(of: root)
            let count = Int64(max(0, count))
            let last = try store.lastKey(of: table)
            guard count > 0 else { return last + 1 }
            guard !last.addingReportingOverflow(count).overflow, last + count < Int64.max else {
                throw GranaryError(
                    .refused, "\(store.source): there are no keys left for \(schema.entities[root].name)")
            }
            let sequence = SQLIdentifier.literal(layout.qualified(table.sequence))
            // Rows with larger keys may exist already.
            try advance(table, through: last)
            for _ in 0..<Self.keyAttempts {
                let result = try connection.query(
                    "SELECT min(k), max(k) FROM (SELECT nextval(\(sequence)) FROM generate_series(1, $1)) s(k)",
                    SQLParameters(count))
                guard let first = result.integer(0, 0), let end = result.integer(0, 1) else { break }
                if end - first == count - 1 { return first }
            }
            throw GranaryError(
                .busy, "\(store.source): other sessions take keys of \(schema.entities[root].name) all the time")
        }

        func reserveKeys(root: Int, through key: Int64) throws {
            let table = layout.table(of: root)
            try advance(table, through: max(key, try store.lastKey(of: table)))
        }

        /// Moves a sequence forward. PostgreSQL does not move it back if the transaction is rolled back.
        private func advance(_ table: EntityTable, through key: Int64) throws {
            guard key > 0 else { return }
            let name = layout.qualified(table.sequence)
            try connection.query(
                "SELECT setval(\(SQLIdentifier.literal(name)), $1) FROM \(name) "
                    + "WHERE CASE WHEN is_called THEN last_value ELSE last_value - 1 END < $1",
                SQLParameters(key))
        }

        // MARK: - Ledger

        /// The number of transactions of Granary that have changed the store.
        func storeVersion() throws -> Int64 {
            try connection.query("SELECT generation FROM \(layout.storeTable)").integer(0, 0) ?? 0
        }

        /// Counts this transaction if it has changed something.
        func countChange() throws {
            try connection.query(
                "UPDATE \(layout.storeTable) SET generation = generation + 1 WHERE txid_current_if_assigned() IS NOT NULL"
            )
        }

        func importLedger() throws -> ImportLedger { try store.readMetadata().importLedger }

        func recordRun(_ run: ImportRun) throws {
            guard let changed = try store.readMetadata().adding(run) else { return }
            try store.write(changed)
        }

        // MARK: - Many rows

        var rowEncoder: (any RowEncoder)? { encoder }
        var usedLoaders: Set<RowLoader> { [.sql] }

        func use(_ loader: RowLoader?) throws {
            guard loader != .pages else {
                throw GranaryError(.usage, "only new SQLite stores can be loaded as pages")
            }
        }

        func deferIndexes() { defersKeys = true }
        func expect(rows: Int) {}

        func completeIndexes() throws { try completeWrittenKeys() }
        func finishRows() throws { try completeWrittenKeys() }

        /// Creates the keys of the tables with new rows.
        func completeWrittenKeys() throws {
            for table in writtenTables.sorted() { try store.completeKeys(ofTable: table) }
            writtenTables = []
        }

        func suspendCounts(includingTimes: Bool) throws {
            if includingTimes { try keepTimes("on") }
        }

        func resumeCounts() throws { try keepTimes("") }

        private func keepTimes(_ value: String) throws {
            try connection.query("SELECT set_config('\(DerivedTriggers.keepsTimes)', '\(value)', true)")
        }
    }
#endif
