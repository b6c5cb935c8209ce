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
                } catch is RefusedValue {} catch let error as PostgreSQLError where error.isRefusal {}
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
            guard let plan = store.plans[root], !keys.isEmpty else { return }
            try store.completeKeys(ofTable: layout.tableOfEntity[root])
            let version = PostgreSQLStore.version
            try connection.run(
                "UPDATE \(layout.qualified(plan.table.name)) SET \(version) = \(version) + 1 "
                    + "WHERE \(PostgreSQLStore.key) = ANY($1) AND \(version) < \(Int64.max - 1)",
                SQLParameters(list: Set(keys)))
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
            let table = layout.table(of: relationship.owner)
            guard let place = table.column(of: relationship.owner, slot: relationship.slot) else { return }
            try store.completeKeys(ofTable: layout.tableOfEntity[relationship.owner])
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
    }
#endif
