#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLStore {
        static var batchBytes: Int { BatchedRows.byteLimit }

        func read(
            entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
        ) throws {
            guard let first = entities.first, let plan = plan(of: first) else { return }
            let sql = "\(plan.select)\(condition(entities)) ORDER BY t.\(Self.key)"
            try reading {
                var batches = BatchedRows(RowReader(plan, schema, source: source), batchSize: batchSize)
                if let copying = try copyingConnection(for: plan.table) {
                    defer { copiers.append(copying) }
                    do { try copying.copyOut(sql) { try batches.append($0, body) } } catch {
                        copying.isSpent = true
                        throw error
                    }
                    if batches.isStopped { copying.isSpent = true }
                } else {
                    try connection.forEachRow(sql) { try batches.append(ResultRow($0, $1), body) }
                }
                try batches.finish(body)
            }
        }

        /// Reads the rows of a query in batches; `body` returns false to stop.
        func readBatches(
            _ plan: RowPlan, _ sql: String, _ parameters: SQLParameters, batchSize: Int,
            _ body: (inout RowBatch) throws -> Bool
        ) throws {
            try reading {
                var batches = BatchedRows(RowReader(plan, schema, source: source), batchSize: batchSize)
                try connection.forEachRow(sql, parameters) { try batches.append(ResultRow($0, $1), body) }
                try batches.finish(body)
            }
        }

        func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
            var batch = RowBatch()
            guard let first = entities.first, let plan = plan(of: first), limit > 0 else { return batch }
            let condition = condition(entities, "t.\(Self.key) > $1")
            let sql = "\(plan.select)\(condition) ORDER BY t.\(Self.key) LIMIT \(limit)"
            let reader = RowReader(plan, schema, source: source)
            try reading {
                try connection.forEachRow(sql, SQLParameters(key)) { result, row in
                    try reader.append(ResultRow(result, row), to: &batch)
                    return batch.bytes.count < Self.batchBytes
                }
            }
            return batch
        }

        func read(root: Int, keys: [Int64]) throws -> RowBatch {
            guard schema.entities.indices.contains(root), let plan = plans[root], !keys.isEmpty else {
                return RowBatch()
            }
            let sql = "\(plan.select) WHERE t.\(Self.key) = ANY($1)"
            let reader = RowReader(plan, schema, source: source)
            var found = RowBatch()
            try translating {
                try completeKeys(ofTable: layout.tableOfEntity[root])
                let result = try connection.run(sql, SQLParameters(list: Set(keys)))
                for row in 0..<result.rowCount { try reader.append(ResultRow(result, row), to: &found) }
            }
            // In the order of the keys, as the other kinds of stores.
            let places = Dictionary(zip(found.rows.map(\.key), found.rows)) { first, _ in first }
            if found.rows.map(\.key) != keys { found.rows = keys.compactMap { places[$0] } }
            return found
        }

        func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
            guard schema.entities.indices.contains(root), let plan = plans[root], !keys.isEmpty else { return [:] }
            return try translating {
                try completeKeys(ofTable: layout.tableOfEntity[root])
                let result = try connection.run(
                    "SELECT \(Self.key), \(Self.version) FROM \(layout.qualified(plan.table.name)) WHERE \(Self.key) = ANY($1)",
                    SQLParameters(list: keys))
                var versions: [Int64: Int64] = [:]
                for row in 0..<result.rowCount {
                    guard let key = result.integer(row, 0), let version = result.integer(row, 1) else { continue }
                    versions[key] = version
                }
                return versions
            }
        }

        func count(entity: Int) throws -> Int {
            guard let plan = plan(of: entity) else { return 0 }
            return try translating {
                let sql = "SELECT count(*) FROM \(layout.qualified(plan.table.name)) t" + condition(entity..<entity + 1)
                return Int(clamping: try connection.query(sql).integer(0, 0) ?? 0)
            }
        }

        func keys(
            matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
        ) throws -> [Int64] {
            let owner = schema.entities[constraint.owner]
            var parameters = SQLParameters()
            var terms: [String] = []
            for property in constraint.properties {
                guard let column = layout.column(of: property, in: owner) else { return [] }
                let cell = batch[row, column.slot]
                if case .null = cell { return [] }
                do {
                    try batch.bytes.withUnsafeBufferPointer { bytes in
                        try parameters.add(column.type) { try CellEncoder.append(cell, bytes, column.type, to: &$0) }
                    }
                    // No stored value equals one that cannot be stored.
                } catch is CellRefusal { return [] }
                terms.append("t.\(SQLIdentifier.quoted(column.name)) = $\(terms.count + 1)")
            }
            let table = layout.table(of: owner.index)
            let sql =
                "SELECT t.\(Self.key) FROM \(layout.qualified(table.name)) t"
                + condition(owner.family, terms.joined(separator: " AND ")) + " ORDER BY 1"
            return try translating {
                try completeKeys(ofTable: layout.tableOfEntity[owner.index])
                let result = try connection.run(sql, parameters)
                return (0..<result.rowCount).compactMap { result.integer($0, 0) }
            }
        }

        func lastKey(root: Int) throws -> Int64 {
            guard schema.entities.indices.contains(root), let plan = plans[root] else { return 0 }
            return try translating { try lastKey(of: plan.table) }
        }

        /// The last key of the sequence, or that of the last row if other programs have inserted rows with their own keys.
        func lastKey(of table: EntityTable) throws -> Int64 {
            let sql =
                "SELECT GREATEST((SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM "
                + "\(layout.qualified(table.sequence))), (SELECT max(\(Self.key)) FROM \(layout.qualified(table.name))), 0)"
            return try connection.query(sql).integer(0, 0) ?? 0
        }

        static let key = SQLIdentifier.quoted(EntityTable.key)
        static let version = SQLIdentifier.quoted(EntityTable.version)
        static let entity = SQLIdentifier.quoted(EntityTable.entity)

        /// The WHERE clause for rows `t` of some entities; empty if these are all.
        func condition(_ entities: Range<Int>, _ other: String? = nil) -> String {
            let isWhole = entities.first.map {
                schema.entities[$0].family == entities && schema.entities[$0].superentity == nil
            }
            let terms =
                (isWhole == true ? [] : ["t.\(Self.entity) IN (\(layout.names(of: entities, schema)))"])
                + (other.map { [$0] } ?? [])
            return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
        }
    }
#endif
