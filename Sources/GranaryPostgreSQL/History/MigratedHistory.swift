#if PostgreSQL
    import Foundation
    import GranaryCoordination
    import GranaryModel

    /// Copies the persistent history of a store into a migrated one, with the names of the newer model. Changes of objects
    /// whose entity was removed are omitted; their transactions stay, so that tokens stay valid.
    struct MigratedHistory {
        private let old: PostgreSQLStore
        private let new: PostgreSQLStore
        private let mapping: ModelMapping
        private let keyOffsets: [Int64]

        /// Returns nil if the old store has no history.
        init?(of old: PostgreSQLStore, to new: PostgreSQLStore, _ mapping: ModelMapping, keyOffsets: [Int64]) {
            guard old.layout.hasHistory, new.layout.hasHistory else { return nil }
            self.old = old
            self.new = new
            self.mapping = mapping
            self.keyOffsets = keyOffsets
        }

        private static let rowsAtOnce = 500

        func copy() throws {
            try copyTransactions()
            for entity in mapping.old.entities { try copyChanges(of: entity) }
            let last = try old.lastHistoryTransaction() ?? 0
            let change = new.layout.qualified(HistoryTables.change)
            try new.connection.query(
                "UPDATE \(new.layout.qualified(HistoryTables.counter)) SET last = $1", SQLParameters(last))
            var table = SQLParameters()
            table.add(change)
            try new.connection.query(
                "SELECT setval(pg_get_serial_sequence($1, 'number'), max(number)) FROM \(change) HAVING max(number) > 0",
                table)
        }

        private func copyTransactions() throws {
            let columns = ["number", "written::text", "author", "context", "bundle", "process"]
            let insert = """
                INSERT INTO \(new.layout.qualified(HistoryTables.transaction)) (number, written, author, context, bundle, process)
                SELECT t.number, t.written::timestamptz, t.author, t.context, t.bundle, t.process
                FROM unnest($1, $2, $3, $4, $5, $6) t(number, written, author, context, bundle, process)
                """
            try copy(
                "SELECT \(columns.joined(separator: ", ")) FROM \(old.layout.qualified(HistoryTables.transaction))",
                SQLParameters(), keys: 1, texts: 5, insert)
        }

        private func copyChanges(of entity: Schema.Entity) throws {
            guard let place = mapping.newEntity(of: entity.index), let sources = mapping.entities[entity.index] else {
                return
            }
            let target = mapping.new.entities[place]
            var names: [(old: String, new: String)] = []
            for attribute in target.attributes {
                guard case .attribute(let source) = sources.sources[attribute.slot] else { continue }
                names.append((Schema.Entity.historyName(of: source), Schema.Entity.historyName(of: attribute)))
            }
            for relationship in target.relationships {
                guard case .relationship(let source) = sources.sources[relationship.slot] else { continue }
                names.append((source.name, relationship.name))
            }
            let kept = target.historyTombstones.compactMap { attribute -> (old: String, new: String)? in
                guard case .attribute(let source) = sources.sources[attribute.slot] else { return nil }
                return (source.name, attribute.name)
            }
            var parameters = SQLParameters()
            parameters.add(entity.name)
            for list in [names, kept] {
                parameters.add(list: list.map(\.old))
                parameters.add(list: list.map(\.new))
            }
            parameters.add(keyOffsets[entity.index])
            let select = """
                SELECT t.number, t.transaction, t.object + $6, t.kind,
                    CASE WHEN t.properties IS NOT NULL THEN to_json(ARRAY(SELECT DISTINCT m.new FROM unnest($2, $3) m(old, new)
                        WHERE m.old = ANY(t.properties)))::text END,
                    (SELECT jsonb_object_agg(m.new, t.tombstone -> m.old) FROM unnest($4, $5) m(old, new)
                        WHERE t.tombstone ? m.old)::text
                FROM \(old.layout.qualified(HistoryTables.change)) t WHERE t.entity = $1
                """
            let insert = """
                INSERT INTO \(new.layout.qualified(HistoryTables.change))
                    (number, transaction, object, kind, properties, tombstone, root, entity)
                SELECT t.number, t.transaction, t.object, t.kind,
                    CASE WHEN t.properties IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(t.properties::jsonb)) END,
                    t.tombstone::jsonb, \(SQLIdentifier.literal(mapping.new.entities[target.root].name)),
                    \(SQLIdentifier.literal(target.name))
                FROM unnest($1, $2, $3, $4, $5, $6) t(number, transaction, object, kind, properties, tombstone)
                """
            try copy(select, parameters, keys: 3, texts: 3, insert)
        }

        /// Copies the rows of a query: first columns of integers, then columns of texts.
        private func copy(
            _ select: String, _ parameters: SQLParameters, keys: Int, texts: Int, _ insert: String
        ) throws {
            var integers = [[Int64]](repeating: [], count: keys)
            var strings = [[String?]](repeating: [], count: texts)
            func send() throws {
                guard integers.first?.isEmpty == false else { return }
                var parameters = SQLParameters()
                for list in integers { parameters.add(list: list) }
                for list in strings { parameters.add(list: list) }
                try new.connection.query(insert, parameters)
                for column in integers.indices { integers[column] = [] }
                for column in strings.indices { strings[column] = [] }
            }
            try old.reading {
                try old.connection.forEachRow(select, parameters) { result, row in
                    for column in integers.indices { integers[column].append(result.integer(row, column) ?? 0) }
                    for column in strings.indices { strings[column].append(result.text(row, keys + column)) }
                    if integers.first?.count == Self.rowsAtOnce { try send() }
                    return true
                }
            }
            try send()
        }
    }
#endif
