#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    /// The triggers that record changes of the tables in the history, whoever makes them.
    ///
    /// Each table has three triggers, which run once for each statement, and one function. They record an object once for
    /// each transaction, as ``HistoryRecorder`` of SQLite stores does: an object that is inserted and changed is inserted, one
    /// that is changed and deleted is deleted, and both ends of a link change.
    struct HistoryTriggers {
        private let layout: StoreLayout
        private let schema: Schema
        private let marks: HistoryMarks

        private static let before = StatementTriggers.before
        private static let after = StatementTriggers.after

        init(_ layout: StoreLayout, _ schema: Schema) {
            self.layout = layout
            self.schema = schema
            marks = HistoryMarks(layout, schema)
        }

        /// The statements that create the functions and triggers.
        func creationSQL() -> [String] {
            [transactionFunction] + layout.tables.flatMap(triggers) + layout.joinTables.flatMap(triggers)
        }

        private static func transactionFunctionName(_ layout: StoreLayout) -> String {
            layout.qualified(StatementTriggers.prefix + "$transaction")
        }

        /// The number of the open transaction, as a subquery that runs once and only if there is a row. The function begins
        /// the transaction in the history.
        private var number: String { "(SELECT \(Self.transactionFunctionName(layout))())" }

        /// Numbers are in the order of commits: the transaction of another program keeps the row of the counter, and waits
        /// for the transactions of Granary and they for it.
        private var transactionFunction: String {
            let setting = HistoryTables.setting(layout)
            let body = """
                DECLARE own_number bigint := nullif(current_setting(\(setting), true), '')::bigint;
                BEGIN
                    IF own_number IS NOT NULL THEN RETURN own_number; END IF;
                    LOCK TABLE \(layout.storeTable) IN ROW EXCLUSIVE MODE;
                    UPDATE \(layout.qualified(HistoryTables.counter)) SET last = last + 1 RETURNING last INTO own_number;
                    INSERT INTO \(layout.qualified(HistoryTables.transaction)) (number, process)
                        VALUES (own_number, nullif(current_setting('application_name'), ''));
                    PERFORM set_config(\(setting), own_number::text, true);
                    RETURN own_number;
                END
                """
            return StatementTriggers.function(Self.transactionFunctionName(layout), returns: "bigint", body)
        }

        private func triggers(of table: EntityTable) -> [String] {
            StatementTriggers(layout: layout, infix: "").creationSQL(
                on: table.name,
                [
                    "INSERT": [insertion(table)] + record(marks.inserting(table, Self.after)),
                    "UPDATE": record(marks.updating(table, Self.before, Self.after)),
                    "DELETE": [deletion(table)] + record(marks.deleting(table, Self.before)),
                ])
        }

        private func triggers(of join: JoinTable) -> [String] {
            StatementTriggers(layout: layout, infix: "").creationSQL(
                on: join.name,
                [
                    "INSERT": record(marks.linking(join, Self.after)),
                    "UPDATE": record(marks.reordering(join, Self.before, Self.after)),
                    "DELETE": record(marks.unlinking(join, Self.before)),
                ])
        }

        // MARK: - Statements

        private var change: String { layout.qualified(HistoryTables.change) }
        private static let conflict = "ON CONFLICT (transaction, root, object) DO UPDATE SET"

        private func root(_ table: EntityTable) -> String { SQLIdentifier.literal(schema.entities[table.root].name) }

        /// If a key is deleted and inserted again, all properties of the object count as changed.
        private func insertion(_ table: EntityTable) -> String {
            let names = entities(of: table) { entity in
                "ARRAY[\(entity.historyNames.map(SQLIdentifier.literal).joined(separator: ", "))]::text[]"
            }
            return """
                INSERT INTO \(change) AS c (transaction, root, entity, object, kind)
                SELECT \(number), \(root(table)), n.\(PostgreSQLStore.entity), n.\(PostgreSQLStore.key), 'insert'
                FROM \(Self.after) n ORDER BY n.\(PostgreSQLStore.key)
                \(Self.conflict) entity = excluded.entity, tombstone = NULL,
                    kind = CASE c.kind WHEN 'delete' THEN 'update' ELSE 'insert' END,
                    properties = CASE c.kind WHEN 'delete' THEN CASE excluded.entity \(names) END END
                """
        }

        private func deletion(_ table: EntityTable) -> String {
            let tombstones = entities(of: table) { tombstone(of: $0, in: table) }
            return """
                INSERT INTO \(change) AS c (transaction, root, entity, object, kind, tombstone)
                SELECT \(number), \(root(table)), o.\(PostgreSQLStore.entity), o.\(PostgreSQLStore.key), 'delete',
                    CASE o.\(PostgreSQLStore.entity) \(tombstones) END
                FROM \(Self.before) o ORDER BY o.\(PostgreSQLStore.key)
                \(Self.conflict) entity = excluded.entity, properties = NULL, tombstone = excluded.tombstone,
                    kind = CASE WHEN c.kind IN ('insert', 'gone') THEN 'gone' ELSE 'delete' END
                """
        }

        /// The branches of a CASE for the entities of a table.
        private func entities(of table: EntityTable, _ value: (Schema.Entity) -> String) -> String {
            schema.entities[table.root].family.map { schema.entities[$0] }
                .map { "WHEN \(SQLIdentifier.literal($0.name)) THEN \(value($0))" }.joined(separator: " ")
        }

        /// A function has at most 100 arguments.
        private static let pairsAtOnce = 50

        private func tombstone(of entity: Schema.Entity, in table: EntityTable) -> String {
            let pairs = entity.historyTombstones.compactMap { attribute -> String? in
                guard let place = table.column(of: attribute.owner, slot: attribute.slot) else { return nil }
                let column = table.columns[place]
                let value = "o.\(SQLIdentifier.quoted(column.name))"
                return
                    "\(SQLIdentifier.literal(attribute.name)), \(column.type == .bytea ? "encode(\(value), 'hex')" : value)"
            }
            guard !pairs.isEmpty else { return "NULL::jsonb" }
            let parts = stride(from: 0, to: pairs.count, by: Self.pairsAtOnce).map { start in
                "jsonb_build_object(\(pairs[start..<min(start + Self.pairsAtOnce, pairs.count)].joined(separator: ", ")))"
            }
            return "jsonb_strip_nulls(\(parts.joined(separator: " || ")))"
        }

        /// The statement that records marks, if there are any.
        private func record(_ marks: [String]) -> [String] {
            guard !marks.isEmpty else { return [] }
            return [
                """
                INSERT INTO \(change) AS c (transaction, root, entity, object, kind, properties)
                SELECT \(number), m.root, m.entity, m.object, 'update',
                    coalesce(array_agg(DISTINCT p.name) FILTER (WHERE p.name IS NOT NULL), '{}')
                FROM (\(marks.joined(separator: "\nUNION ALL "))) m(root, entity, object, properties)
                    LEFT JOIN LATERAL unnest(m.properties) p(name) ON true
                GROUP BY m.root, m.entity, m.object ORDER BY m.root, m.object
                \(Self.conflict) properties =
                    ARRAY(SELECT DISTINCT u.name FROM unnest(c.properties || excluded.properties) u(name))
                WHERE c.kind = 'update'
                """
            ]
        }
    }
#endif
