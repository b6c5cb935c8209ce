#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// New rows. They are sent with COPY: into a table without keys in one COPY for many batches, otherwise in one for each
    /// batch, so that the server can refuse single rows.
    extension PostgreSQLWriter {
        /// The fewest rows that are inserted with COPY. One row after the other takes a round trip each.
        private static let copiedRows = 4

        /// Rows of one table.
        private struct Rows {
            var headers: ArraySlice<RowBatch.Header>
            let plan: RowPlan
            let cells: UnsafeBufferPointer<StoredCell>
            let bytes: UnsafeBufferPointer<UInt8>
            let encoded: EncodedCopyRows?
        }

        func insert(_ batch: borrowing RowBatch) throws {
            let encoded = batch.encoded as? EncodedCopyRows
            try batch.bytes.withUnsafeBufferPointer { bytes in
                try batch.cells.withUnsafeBufferPointer { cells in
                    var next = 0
                    while next < batch.rows.count {
                        let root = schema.entities[Int(batch.rows[next].entity)].root
                        var end = next + 1
                        while end < batch.rows.count, schema.entities[Int(batch.rows[end].entity)].root == root {
                            end += 1
                        }
                        if let plan = store.plans[root] {
                            var rows = Rows(
                                headers: batch.rows[next..<end], plan: plan, cells: cells, bytes: bytes,
                                encoded: encoded)
                            try insert(&rows)
                        }
                        next = end
                    }
                }
            }
        }

        private func insert(_ rows: inout Rows) throws {
            let table = layout.tableOfEntity[rows.plan.root]
            if defersKeys, store.pendingKeys.tables[table] != nil {
                try stream(&rows, table)
            } else if !defersKeys {
                try store.completeAllKeys()
            }
            if rows.headers.isEmpty { return }
            if rows.headers.count >= Self.copiedRows, try copy(rows) {
                writtenRows += rows.headers.count
                return
            }
            try eachRow(rows.headers) { row in
                parameters.removeAll()
                parameters.add(row.key)
                parameters.add(schema.entities[Int(row.entity)].name)
                parameters.add(row.version)
                let slots = rows.plan.writtenSlots[Int(row.entity) - rows.plan.root]
                for (column, slot) in zip(rows.plan.written, slots) {
                    try add(slot.map { rows.cells[row.firstCell + $0] } ?? .null, rows.bytes, column)
                }
                try connection.run(rows.plan.insert, parameters)
            }
        }

        /// Sends rows to the open COPY, up to a row that the server could refuse. The keys of the table are created before
        /// that row, so that the rest is inserted as into another store.
        private func stream(_ rows: inout Rows, _ table: Int) throws {
            writtenTables.insert(table)
            while let row = rows.headers.first {
                do {
                    try openStream(rows.plan.copy).add { buffer in try append(row, rows, to: &buffer, isSafe: true) }
                } catch is CopyRowEncoder.Doubt {
                    return try completeWrittenKeys()
                } catch is CellRefusal {
                    throw refusal(try refusedValue(row, rows), row)
                }
                writtenRows += 1
                rows.headers.removeFirst()
            }
        }

        /// The open COPY for this statement.
        func openStream(_ sql: String) throws -> CopyStream {
            if let stream, stream.isOpen, stream.sql == sql { return stream }
            let opened = try CopyStream(connection, sql)
            stream = opened
            return opened
        }

        private func append(_ row: RowBatch.Header, _ rows: Rows, to buffer: inout FieldBuffer, isSafe: Bool) throws {
            encoder.appendKey(of: row, to: &buffer)
            if row.encoded >= 0, rows.encoded?.append(Int(row.encoded), to: &buffer) ?? false { return }
            try encoder.append(row, rows.cells, rows.bytes, to: &buffer, isSafe: isSafe)
        }

        /// The value because of which a row cannot be encoded.
        private func refusedValue(_ row: RowBatch.Header, _ rows: Rows) throws -> RefusedValue {
            let slots = rows.plan.writtenSlots[Int(row.entity) - rows.plan.root]
            do {
                parameters.removeAll()
                for (column, slot) in zip(rows.plan.written, slots) {
                    try add(slot.map { rows.cells[row.firstCell + $0] } ?? .null, rows.bytes, column)
                }
            } catch let value as RefusedValue { return value }
            throw GranaryError(.internalDefect, "\(rows.plan.table.name): the row \(row.key) cannot be encoded")
        }

        /// Inserts rows with COPY. Returns false, and inserts none, if one of them is refused: the caller finds it.
        private func copy(_ rows: Rows) throws -> Bool {
            do {
                try connection.transaction("") {
                    try connection.copy(rows.plan.copy) { buffer, ended in
                        for row in rows.headers {
                            try append(row, rows, to: &buffer, isSafe: false)
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
    }
#endif
