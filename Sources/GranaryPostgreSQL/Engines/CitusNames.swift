#if PostgreSQL
    /// The names that the server gave to the constraints and indexes of a store.
    struct CitusNames {
        private var names: [CitusChange.Part: [String]]

        init(_ names: [CitusChange.Part: [String]]) { self.names = names }

        /// The name of a part, for one use: subentities can have constraints with the same columns.
        mutating func take(_ part: CitusChange.Part) -> String? {
            guard let found = names[part], let first = found.first else { return nil }
            names[part] = Array(found.dropFirst())
            return first
        }

        init(_ connection: PostgreSQLConnection, _ layout: StoreLayout) throws {
            var parameters = SQLParameters()
            parameters.add(layout.namespace)
            parameters.add(list: layout.allNames)
            let result = try connection.query(
                """
                WITH t AS (SELECT oid, relname::text AS name FROM pg_class
                    WHERE relnamespace = to_regnamespace($1)::oid AND relname = ANY($2)),
                parts(kind, relation, name, keys) AS (
                    SELECT o.contype::text, t.name, o.conname::text, o.conkey FROM pg_constraint o JOIN t ON t.oid = o.conrelid
                    WHERE o.contype IN ('p', 'f')
                    UNION ALL SELECT 'u', t.name, i.relname::text, x.indkey::smallint[]
                    FROM pg_index x JOIN t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
                    WHERE x.indisunique AND NOT x.indisprimary)
                SELECT p.kind, p.relation, p.name, a.attname::text
                FROM parts p JOIN t ON t.name = p.relation CROSS JOIN LATERAL unnest(p.keys) WITH ORDINALITY k(key, place)
                JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.key ORDER BY p.relation, p.name, k.place
                """, parameters)
            var found: [(kind: String, table: String, name: String, columns: [String])] = []
            for row in 0..<result.rowCount {
                guard let kind = result.text(row, 0), let table = result.text(row, 1), let name = result.text(row, 2),
                    let column = result.text(row, 3)
                else { continue }
                if let last = found.last, last.table == table, last.name == name {
                    found[found.count - 1].columns.append(column)
                } else {
                    found.append((kind, table, name, [column]))
                }
            }
            names = [:]
            for item in found {
                let part: CitusChange.Part? =
                    switch item.kind {
                    case "p": .primaryKey(table: item.table)
                    case "u": .unique(table: item.table, columns: item.columns)
                    default: item.columns.first.map { .reference(table: item.table, column: $0) }
                    }
                if let part { names[part, default: []].append(item.name) }
            }
        }
    }
#endif
