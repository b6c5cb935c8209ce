#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// Changes of existing rows.
    extension PostgreSQLWriter {
        func update(_ batch: borrowing RowBatch) throws {
            try completeKeys(of: batch)
            try batch.bytes.withUnsafeBufferPointer { bytes in
                try batch.cells.withUnsafeBufferPointer { cells in
                    if try updateTogether(batch.rows, cells, bytes) {
                        writtenRows += batch.rows.count
                        return
                    }
                    try eachRow(batch.rows[...]) { row in try update(row, cells, bytes) }
                }
            }
        }

        private func update(
            _ row: RowBatch.Header, _ cells: UnsafeBufferPointer<StoredCell>, _ bytes: UnsafeBufferPointer<UInt8>
        ) throws {
            let entity = schema.entities[Int(row.entity)]
            guard let plan = store.plans[entity.root] else { return }
            let update = plan.updates[entity.index - plan.root]
            parameters.removeAll()
            parameters.add(row.key)
            parameters.add(row.version)
            for column in update.columns { try add(cells[row.firstCell + column.slot], bytes, column) }
            guard try connection.run(update.sql, parameters).changes == 1 else { throw MissingRow() }
        }

        /// Updates rows with one statement for each entity.
        ///
        /// - Returns: false if a row is refused or missing. Nothing is changed then, and the caller finds the row.
        private func updateTogether(
            _ rows: [RowBatch.Header], _ cells: UnsafeBufferPointer<StoredCell>, _ bytes: UnsafeBufferPointer<UInt8>
        ) throws -> Bool {
            // A statement changes a row once, and its parameters are in memory as a whole.
            guard rows.count > 1, bytes.count <= Self.togetherBytes, Set(rows.map(\.key)).count == rows.count,
                !cells.contains(where: \.isFile)
            else { return false }
            do {
                try connection.transaction("") {
                    for (entity, rows) in Dictionary(grouping: rows, by: \.entity).sorted(by: { $0.key < $1.key }) {
                        try update(rows, entity: Int(entity), cells, bytes)
                    }
                }
                return true
            } catch is CellRefusal {} catch is MissingRow {} catch let error as PostgreSQLError where error.isRefusal {}
            return false
        }

        /// There is no row to update.
        struct MissingRow: Error {}
        /// The most bytes of values that one statement gets.
        private static let togetherBytes = 16 << 20

        private func update(
            _ rows: [RowBatch.Header], entity: Int, _ cells: UnsafeBufferPointer<StoredCell>,
            _ bytes: UnsafeBufferPointer<UInt8>
        ) throws {
            guard let plan = store.plan(of: entity) else { return }
            let update = plan.updates[entity - plan.root]
            parameters.removeAll()
            parameters.add(list: rows.map(\.key))
            parameters.add(list: rows.map(\.version))
            for column in update.columns {
                try parameters.add(arrayOf: column.type, rows) { buffer, row in
                    try CellEncoder.append(cells[row.firstCell + column.slot], bytes, column.type, to: &buffer)
                }
            }
            guard try connection.run(update.together, parameters).changes == rows.count else { throw MissingRow() }
        }

        /// Creates the pending keys of the tables in which rows of a batch are searched.
        private func completeKeys(of batch: borrowing RowBatch) throws {
            guard !store.pendingKeys.isEmpty else { return }
            guard defersKeys else { return try store.completeAllKeys() }
            for entity in Set(batch.rows.map(\.entity)) {
                try store.completeKeys(ofTable: layout.tableOfEntity[Int(entity)])
            }
        }

        /// Runs `body` for rows, in one savepoint. If a row is refused, `body` runs again for each row in a savepoint of its
        /// own, so that the rows before it are written and the transaction goes on.
        func eachRow(_ rows: ArraySlice<RowBatch.Header>, _ body: (RowBatch.Header) throws -> Void) throws {
            if rows.count > 1 {
                do {
                    try connection.transaction("") { for row in rows { try body(row) } }
                    writtenRows += rows.count
                    return
                } catch is RefusedValue {} catch is MissingRow {} catch let error as PostgreSQLError
                    where error.isRefusal
                {}
            }
            for row in rows {
                try savingRow(row) { try body(row) }
                writtenRows += 1
            }
        }

        func add(_ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ column: EntityTable.Column) throws {
            do {
                try parameters.add(column.type) { try CellEncoder.append(cell, bytes, column.type, to: &$0) }
            } catch let error as CellRefusal { throw RefusedValue(reason: error, property: column.property) }
        }

        /// Runs a statement for one row, in a savepoint: a refused row must not end the transaction.
        private func savingRow<Result>(_ row: RowBatch.Header, _ body: () throws -> Result) throws -> Result {
            do { return try connection.transaction("", body) } catch { throw refusal(error, row) }
        }

        func raiseVersions(root: Int, keys: [Int64]) throws {
            guard store.plans[root] != nil, !keys.isEmpty else { return }
            try store.completeKeys(ofTable: layout.tableOfEntity[root])
            try changes.raise(root: root, keys: keys)
        }

        /// Raises versions at once.
        func raise(root: Int, keys: Set<Int64>) throws {
            guard let plan = store.plans[root] else { return }
            let version = PostgreSQLStore.version
            try connection.run(
                "UPDATE \(layout.qualified(plan.table.name)) SET \(version) = \(version) + 1 "
                    + "WHERE \(PostgreSQLStore.key) = ANY($1) AND \(version) < \(Int64.max - 1)",
                SQLParameters(list: keys))
        }

        func delete(entity: Int, keys: [Int64]) throws {
            guard let plan = store.plan(of: entity), !keys.isEmpty else { return }
            // The rows of join tables go with it (ON DELETE CASCADE).
            try store.completeAllKeys()
            try connection.run(
                "DELETE FROM \(layout.qualified(plan.table.name)) WHERE \(PostgreSQLStore.key) = ANY($1)",
                SQLParameters(list: keys))
        }

        func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?) throws {
            try store.completeKeys(ofTable: layout.tableOfEntity[relationship.owner])
            try changes.set(relationship, owner: owner, destination: destination)
        }

        /// Sets references with one statement. If one is refused, the statement is run again for each, to find it.
        func write(_ references: ChangeQueue.References, of relationship: Schema.Relationship) throws {
            let table = layout.table(of: relationship.owner)
            guard let place = table.column(of: relationship.owner, slot: relationship.slot) else { return }
            let column = SQLIdentifier.quoted(table.columns[place].name)
            var assignments = "\(column) = s.destination"
            if let order = layout.order(of: table.columns[place], in: table) {
                let name = SQLIdentifier.quoted(order)
                assignments += ", \(name) = CASE WHEN t.\(column) IS NOT DISTINCT FROM s.destination THEN t.\(name) END"
            }
            let sql =
                "UPDATE \(layout.qualified(table.name)) t SET \(assignments) FROM unnest($1, $2) s(owner, destination) "
                + "WHERE t.\(PostgreSQLStore.key) = s.owner"
            func write(_ range: Range<Int>) throws -> Bool {
                var parameters = SQLParameters(list: references.owners[range])
                parameters.add(array: .bigints, of: .bigint, references.destinations[range]) { buffer, key in
                    if let key { buffer.appendField(key) } else { buffer.appendNull() }
                }
                return try connection.transaction("") { try connection.run(sql, parameters).changes == range.count }
            }
            let all = references.owners.indices
            if all.count > 1 {
                do { if try write(all) { return } } catch let error as PostgreSQLError where error.isRefusal {}
            }
            for index in all {
                let owner = references.owners[index]
                let row = RowBatch.Header(entity: Int32(relationship.owner), key: owner, version: 0, firstCell: 0)
                do {
                    if try write(index..<index + 1) { continue }
                } catch { throw refusal(error, row) }
                throw GranaryError(
                    .refused, "\(store.source): cannot set \(relationship.name) of p\(owner): the object does not exist"
                )
            }
        }
    }

    extension StoredCell {
        fileprivate var isFile: Bool { if case .file = self { true } else { false } }
    }
#endif
