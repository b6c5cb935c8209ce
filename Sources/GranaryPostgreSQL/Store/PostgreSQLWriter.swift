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
        /// The fewest rows that are inserted with COPY. One row after the other takes a round trip each.
        private static let copiedRows = 4
        /// The number of times to ask for consecutive keys while other sessions take keys, too.
        private static let keyAttempts = 100

        init(_ store: PostgreSQLStore) { self.store = store }

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

        // MARK: - Rows

        func insert(_ batch: borrowing RowBatch) throws {
            try batch.bytes.withUnsafeBufferPointer { bytes in
                try batch.cells.withUnsafeBufferPointer { cells in
                    var next = 0
                    while next < batch.rows.count {
                        let root = schema.entities[Int(batch.rows[next].entity)].root
                        var end = next + 1
                        while end < batch.rows.count, schema.entities[Int(batch.rows[end].entity)].root == root {
                            end += 1
                        }
                        if let plan = store.plans[root] { try insert(batch.rows[next..<end], plan, cells, bytes) }
                        next = end
                    }
                }
            }
        }

        private func insert(
            _ rows: ArraySlice<RowBatch.Header>, _ plan: RowPlan, _ cells: UnsafeBufferPointer<StoredCell>,
            _ bytes: UnsafeBufferPointer<UInt8>
        ) throws {
            if rows.count >= Self.copiedRows, try copy(rows, plan, cells, bytes) {
                writtenRows += rows.count
                return
            }
            try eachRow(rows) { row in
                parameters.removeAll()
                parameters.add(row.key)
                parameters.add(schema.entities[Int(row.entity)].name)
                parameters.add(row.version)
                let slots = plan.writtenSlots[Int(row.entity) - plan.root]
                for (column, slot) in zip(plan.written, slots) {
                    try add(slot.map { cells[row.firstCell + $0] } ?? .null, bytes, column)
                }
                try connection.run(plan.insert, parameters)
            }
        }

        /// Inserts rows with COPY. Returns false, and inserts none, if one of them is refused: the caller finds it.
        private func copy(
            _ rows: ArraySlice<RowBatch.Header>, _ plan: RowPlan, _ cells: UnsafeBufferPointer<StoredCell>,
            _ bytes: UnsafeBufferPointer<UInt8>
        ) throws -> Bool {
            do {
                try connection.transaction("") {
                    try connection.copy(plan.copy) { buffer, ended in
                        for row in rows {
                            buffer.append(Int16(truncatingIfNeeded: plan.written.count + 3))
                            buffer.appendField(row.key)
                            buffer.appendField(schema.entities[Int(row.entity)].name.utf8)
                            buffer.appendField(row.version)
                            let slots = plan.writtenSlots[Int(row.entity) - plan.root]
                            for (column, slot) in zip(plan.written, slots) {
                                let cell = slot.map { cells[row.firstCell + $0] } ?? .null
                                try CellEncoder.append(cell, bytes, column.type, to: &buffer)
                            }
                            try ended(&buffer)
                        }
                    }
                }
                return true
            } catch is CellRefusal {
                return false
            } catch let error as PostgreSQLError where error.isRefusal {
                return false
            }
        }

        func update(_ batch: borrowing RowBatch) throws {
            try batch.bytes.withUnsafeBufferPointer { bytes in
                try batch.cells.withUnsafeBufferPointer { cells in
                    try eachRow(batch.rows[...]) { row in
                        let entity = schema.entities[Int(row.entity)]
                        guard let plan = store.plans[entity.root] else { return }
                        let update = plan.updates[entity.index - plan.root]
                        parameters.removeAll()
                        parameters.add(row.key)
                        parameters.add(row.version)
                        for column in update.columns { try add(cells[row.firstCell + column.slot], bytes, column) }
                        guard try connection.run(update.sql, parameters).changes == 1 else {
                            throw GranaryError(
                                .refused, "\(entity.name): there is no object with the key \(row.key) to update")
                        }
                    }
                }
            }
        }

        /// Runs `body` for rows, in one savepoint. If a row is refused, `body` runs again for each row in a savepoint of its
        /// own, so that the rows before it are written and the transaction goes on.
        private func eachRow(_ rows: ArraySlice<RowBatch.Header>, _ body: (RowBatch.Header) throws -> Void) throws {
            if rows.count > 1 {
                do {
                    try connection.transaction("") { for row in rows { try body(row) } }
                    writtenRows += rows.count
                    return
                } catch is RefusedValue {} catch let error as PostgreSQLError where error.isRefusal {}
            }
            for row in rows {
                try savingRow(row) { try body(row) }
                writtenRows += 1
            }
        }

        private func add(_ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ column: EntityTable.Column) throws {
            do {
                try parameters.add(column.type) { try CellEncoder.append(cell, bytes, column.type, to: &$0) }
            } catch let error as CellRefusal { throw RefusedValue(reason: error, property: column.property) }
        }

        /// Runs a statement for one row, in a savepoint: a refused row must not end the transaction.
        private func savingRow<Result>(_ row: RowBatch.Header, _ body: () throws -> Result) throws -> Result {
            do { return try connection.transaction("", body) } catch { throw refusal(error, row) }
        }

        func raiseVersions(root: Int, keys: [Int64]) throws {
            guard let plan = store.plans[root], !keys.isEmpty else { return }
            let version = PostgreSQLStore.version
            try connection.run(
                "UPDATE \(layout.qualified(plan.table.name)) SET \(version) = \(version) + 1 "
                    + "WHERE \(PostgreSQLStore.key) = ANY($1) AND \(version) < \(Int64.max - 1)",
                SQLParameters(list: Set(keys)))
        }

        func delete(entity: Int, keys: [Int64]) throws {
            guard let plan = store.plan(of: entity), !keys.isEmpty else { return }
            // The rows of join tables go with it (ON DELETE CASCADE).
            try connection.run(
                "DELETE FROM \(layout.qualified(plan.table.name)) WHERE \(PostgreSQLStore.key) = ANY($1)",
                SQLParameters(list: keys))
        }

        func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?) throws {
            let table = layout.table(of: relationship.owner)
            guard let place = table.column(of: relationship.owner, slot: relationship.slot) else { return }
            let column = SQLIdentifier.quoted(table.columns[place].name)
            var assignments = "\(column) = $2"
            if let order = layout.order(of: table.columns[place], in: table) {
                let name = SQLIdentifier.quoted(order)
                assignments += ", \(name) = CASE WHEN \(column) IS NOT DISTINCT FROM $2 THEN \(name) END"
            }
            let sql = "UPDATE \(layout.qualified(table.name)) SET \(assignments) WHERE \(PostgreSQLStore.key) = $1"
            let row = RowBatch.Header(entity: Int32(relationship.owner), key: owner, version: 0, firstCell: 0)
            let changes = try savingRow(row) { try connection.run(sql, SQLParameters(owner, destination)).changes }
            guard changes == 1 else {
                throw GranaryError(
                    .refused, "\(store.source): cannot set \(relationship.name) of p\(owner): the object does not exist"
                )
            }
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

        var rowEncoder: (any RowEncoder)? { nil }
        var usedLoaders: Set<RowLoader> { [.sql] }

        func use(_ loader: RowLoader?) throws {
            guard loader != .pages else {
                throw GranaryError(.usage, "only new SQLite stores can be loaded as pages")
            }
        }

        func deferIndexes() {}
        func expect(rows: Int) {}
        func completeIndexes() throws {}
        func finishRows() throws {}
        func suspendCounts(includingTimes: Bool) throws {}
        func resumeCounts() throws {}
    }
#endif
