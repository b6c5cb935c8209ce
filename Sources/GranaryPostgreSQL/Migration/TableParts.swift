#if PostgreSQL
    import GranaryBase
    import GranaryModel

    /// What other programs have added to the tables of a store: found by comparing them with those of an empty store of the
    /// same model, which is created for that and dropped again.
    struct TableParts {
        /// What a replacement of the tables would lose.
        private(set) var lost: [Diagnostic] = []
        /// The added indexes, as statements that create them.
        private(set) var indexes: [String] = []
        private let store: PostgreSQLStore
        private let namespace: String

        /// A column, a constraint, an index, a trigger or a policy of a table.
        private struct Part {
            let table: String
            let kind: String
            let name: String
            /// Without names of schemas and, for an index, without its name.
            let definition: String
            let statement: String

            var identity: [String] { [table, kind, kind == "column" ? "\(name) \(definition)" : definition] }
        }

        /// Inside a transaction.
        init(_ store: PostgreSQLStore, _ place: StorePlace) throws {
            self.store = store
            namespace = place.namespace
            let name = StorePlace.temporaryName()
            let expected = try StorePlace(place, namespace: name).build(
                store.schema, identifier: nil, hasHistory: store.layout.hasHistory)
            try expected.completeAllKeys()
            if store.layout.hasHistory { try expected.recordChanges() }
            let known = Set(try Self.parts(expected, name).map(\.identity))
            try place.connection.execute("DROP SCHEMA \(SQLIdentifier.quoted(name)) CASCADE")
            for part in try Self.parts(store, place.namespace) where !known.contains(part.identity) {
                if part.kind == "index" {
                    indexes.append(part.statement)
                } else {
                    add("the table \(part.table) has the \(part.kind) \(part.name), which is not that of the model")
                }
            }
            try addDependents()
        }

        private mutating func add(_ message: String) { lost.append(Diagnostic(.storeLayout, message)) }

        private static func parts(_ store: PostgreSQLStore, _ namespace: String) throws -> [Part] {
            var parameters = SQLParameters()
            parameters.add(namespace)
            parameters.add(list: store.layout.allNames)
            let result = try store.connection.query(
                """
                WITH t AS (SELECT c.oid, c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = $1 AND c.relname = ANY($2)),
                parts(relation, kind, name, definition, statement) AS (
                    SELECT t.name, 'column', a.attname::text, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
                        CASE WHEN a.attnotnull THEN 'NOT NULL' END, pg_get_expr(d.adbin, d.adrelid)), ''
                    FROM pg_attribute a JOIN t ON t.oid = a.attrelid
                    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                    WHERE a.attnum > 0 AND NOT a.attisdropped
                    UNION ALL SELECT t.name, 'rights on the column', a.attname::text, a.attname::text, ''
                    FROM pg_attribute a JOIN t ON t.oid = a.attrelid WHERE a.attacl IS NOT NULL
                    UNION ALL SELECT t.name, 'row security of', t.name, t.name, ''
                    FROM t JOIN pg_class c ON c.oid = t.oid WHERE c.relrowsecurity
                    UNION ALL SELECT t.name, 'publication', p.pubname::text, p.pubname::text, ''
                    FROM pg_publication_rel r JOIN t ON t.oid = r.prrelid JOIN pg_publication p ON p.oid = r.prpubid
                    UNION ALL SELECT t.name, 'statistics', s.stxname::text, s.stxname::text, ''
                    FROM pg_statistic_ext s JOIN t ON t.oid = s.stxrelid
                    UNION ALL SELECT t.name, 'constraint', o.conname::text, pg_get_constraintdef(o.oid), ''
                    FROM pg_constraint o JOIN t ON t.oid = o.conrelid
                    UNION ALL SELECT t.name, 'index', i.relname::text,
                        regexp_replace(pg_get_indexdef(i.oid), '^CREATE( UNIQUE)? INDEX .*? ON .*? USING ', 'CREATE\\1 '),
                        pg_get_indexdef(i.oid)
                    FROM pg_index x JOIN t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
                    WHERE NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = x.indexrelid AND o.contype <> 'f')
                    UNION ALL SELECT t.name, 'trigger', g.tgname::text, g.tgname::text, ''
                    FROM pg_trigger g JOIN t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal
                    UNION ALL SELECT t.name, 'policy', p.polname::text, p.polname::text, ''
                    FROM pg_policy p JOIN t ON t.oid = p.polrelid
                    UNION ALL SELECT t.name, 'rule', r.rulename::text, r.rulename::text, ''
                    FROM pg_rewrite r JOIN t ON t.oid = r.ev_class)
                SELECT relation, kind, name, replace(definition, quote_ident($1) || '.', ''), statement FROM parts
                ORDER BY 1, 2, 3
                """, parameters)
            return (0..<result.rowCount).map { row in
                func text(_ column: Int) -> String { result.text(row, column) ?? "" }
                return Part(table: text(0), kind: text(1), name: text(2), definition: text(3), statement: text(4))
            }
        }

        private var named: SQLParameters {
            var parameters = SQLParameters()
            parameters.add(namespace)
            parameters.add(list: store.layout.allNames)
            return parameters
        }

        private static let tables =
            "(SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = "
            + "ANY($2))"

        /// Views, and foreign keys of other tables.
        private mutating func addDependents() throws {
            let views = try store.connection.query(
                """
                SELECT DISTINCT v.oid::regclass::text FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
                JOIN pg_class v ON v.oid = r.ev_class
                WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
                AND d.refobjid IN \(Self.tables) AND v.oid NOT IN \(Self.tables) ORDER BY 1
                """, named)
            for row in 0..<views.rowCount { add("the view \(views.text(row, 0) ?? "") reads the tables") }
            let keys = try store.connection.query(
                """
                SELECT o.conrelid::regclass::text, o.conname::text FROM pg_constraint o
                WHERE o.contype = 'f' AND o.confrelid IN \(Self.tables) AND o.conrelid NOT IN \(Self.tables) ORDER BY 1, 2
                """, named)
            for row in 0..<keys.rowCount {
                add(
                    "the foreign key \(keys.text(row, 1) ?? "") of the table \(keys.text(row, 0) ?? "") refers to the tables"
                )
            }
        }

        /// The statements that take away the rights which new tables have by default.
        static func revocations(_ store: PostgreSQLStore, _ namespace: String) throws -> [String] {
            var parameters = SQLParameters()
            parameters.add(namespace)
            parameters.add(list: store.layout.allNames)
            let result = try store.connection.query(
                """
                SELECT DISTINCT format('REVOKE ALL ON TABLE %I.%I FROM %s', $1, c.relname,
                    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a
                WHERE n.nspname = $1 AND c.relname = ANY($2) AND a.grantee <> c.relowner ORDER BY 1
                """, parameters)
            return (0..<result.rowCount).compactMap { result.text($0, 0) }
        }

        /// The statements that give tables of the same names the same owners and rights.
        func grants() throws -> [String] {
            let result = try store.connection.query(
                """
                WITH t AS (SELECT c.oid, c.relname, c.relacl, c.relowner FROM pg_class c
                    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = ANY($2))
                SELECT format('ALTER TABLE %I.%I OWNER TO %I', $1, t.relname, pg_get_userbyid(t.relowner)), 1 FROM t
                WHERE pg_get_userbyid(t.relowner) <> current_user
                UNION ALL SELECT format('GRANT %s ON TABLE %I.%I TO %s%s', a.privilege_type, $1, t.relname,
                    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END), 2
                FROM t, aclexplode(t.relacl) a WHERE a.grantee <> t.relowner
                ORDER BY 2, 1
                """, named)
            return (0..<result.rowCount).compactMap { result.text($0, 0) }
        }
    }
#endif
