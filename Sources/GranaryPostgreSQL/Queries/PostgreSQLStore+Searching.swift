#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates

    extension PostgreSQLStore {
        func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)? {
            guard let first = search.entities.first, let plan = plan(of: first) else { return nil }
            let builder = SearchSQL(schema, layout, identifier: identifier, entity: schema.entities[first])
            var (condition, rest): (String?, ObjectPredicate?) = (nil, nil)
            if let predicate = search.predicate { (condition, rest) = builder.split(predicate) }
            if let after = search.afterKey {
                condition = SearchSQL.joined((condition.map { [$0] } ?? []) + ["t.\(Self.key) > \(after)"], "AND")
            }
            let conditions = builder.parameters
            let order = builder.attempt { builder.orderTerms(search.order) }
            // Nothing is gained by a statement for all rows in the order of the keys.
            guard condition != nil || order != nil || search.predicate == nil else { return nil }
            return PostgreSQLSearch(
                store: self, plan: plan, condition: self.condition(search.entities, condition),
                order: ((order ?? []) + ["t.\(Self.key)"]).joined(separator: ", "), parameters: conditions, rest: rest,
                isOrdered: order != nil, entities: search.entities)
        }
    }

    /// A search as SQL.
    private final class PostgreSQLSearch: PreparedSearch {
        private let store: PostgreSQLStore
        private let plan: RowPlan
        /// The WHERE clause.
        private let condition: String
        private let order: String
        private let parameters: SQLParameters
        let rest: ObjectPredicate?
        let isOrdered: Bool
        private let entities: Range<Int>

        init(
            store: PostgreSQLStore, plan: RowPlan, condition: String, order: String, parameters: SQLParameters,
            rest: ObjectPredicate?, isOrdered: Bool, entities: Range<Int>
        ) {
            self.store = store
            self.plan = plan
            self.condition = condition
            self.order = order
            self.parameters = parameters
            self.rest = rest
            self.isOrdered = isOrdered
            self.entities = entities
        }

        private var table: String { store.layout.qualified(plan.table.name) }

        private func window(_ limit: Int?, _ offset: Int) -> String {
            (limit.map { " LIMIT \($0)" } ?? "") + (offset > 0 ? " OFFSET \(offset)" : "")
        }

        func read(
            limit: Int?, offset: Int, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
        ) throws {
            try store.readBatches(
                plan, "\(plan.select)\(condition) ORDER BY \(order)\(window(limit, offset))", parameters,
                batchSize: batchSize, body)
        }

        func count() throws -> Int {
            try translating {
                let result = try store.connection.query("SELECT count(*) FROM \(table) t\(condition)", parameters)
                return Int(clamping: result.integer(0, 0) ?? 0)
            }
        }

        func keys(limit: Int?, offset: Int, _ body: (_ entity: Int, _ key: Int64) throws -> Bool) throws {
            let names = Dictionary(
                uniqueKeysWithValues: entities.map { (store.schema.entities[$0].name, $0) })
            let sql =
                "SELECT t.\(PostgreSQLStore.entity), t.\(PostgreSQLStore.key) FROM \(table) t\(condition) ORDER BY \(order)"
                + window(limit, offset)
            try store.reading {
                try store.connection.forEachRow(sql, parameters) { result, row in
                    guard let entity = result.text(row, 0).flatMap({ names[$0] }), let key = result.integer(row, 1)
                    else {
                        throw GranaryError(
                            Diagnostic(.storeCorrupt, "\(store.source): \(plan.table.name): a row has no valid entity"))
                    }
                    return try body(entity, key)
                }
            }
        }
    }
#endif
