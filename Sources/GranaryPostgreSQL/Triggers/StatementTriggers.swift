#if PostgreSQL
    /// Triggers that run once for each statement, with its rows in the tables `old_rows` and `new_rows`. The triggers of a
    /// table share one function.
    struct StatementTriggers {
        let layout: StoreLayout
        /// What the names of functions and triggers have after the prefix.
        let infix: String

        /// Names of a model have no `$`.
        static let prefix = "granary$"
        static let before = "old_rows"
        static let after = "new_rows"

        /// The statement that finds the functions of a store, for `DROP FUNCTION … CASCADE`; its parameter is the name of
        /// the schema.
        static let functions = """
            SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname = $1 AND starts_with(p.proname::text, '\(prefix)') ORDER BY 1
            """

        private static let tables = [
            ("INSERT", "NEW TABLE AS \(after)"), ("UPDATE", "OLD TABLE AS \(before) NEW TABLE AS \(after)"),
            ("DELETE", "OLD TABLE AS \(before)"),
        ]

        /// The statements that create the triggers of a table.
        ///
        /// - Parameter statements: what the triggers run, by operation.
        func creationSQL(on table: String, _ statements: [String: [String]]) -> [String] {
            let name = functionName(of: table)
            let used = Self.tables.filter { statements[$0.0]?.isEmpty == false }
            guard !used.isEmpty else { return [] }
            // A statement that changes no row runs the triggers, too: without the condition, they would run each other forever.
            let branches = used.map { operation, _ in
                """
                IF TG_OP = '\(operation)' THEN
                IF EXISTS (SELECT FROM \(operation == "DELETE" ? Self.before : Self.after)) THEN
                \((statements[operation] ?? []).map { "\($0);" }.joined(separator: "\n"))
                END IF;
                END IF;
                """
            }
            let body = "BEGIN\n\(branches.joined(separator: "\n"))\nRETURN NULL;\nEND"
            return [Self.function(name, returns: "trigger", body)]
                + used.map { operation, rows in
                    "CREATE TRIGGER \(SQLIdentifier.quoted(Self.prefix + infix + operation.lowercased())) AFTER \(operation) ON "
                        + "\(layout.qualified(table)) REFERENCING \(rows) FOR EACH STATEMENT EXECUTE FUNCTION \(name)()"
                }
        }

        private func functionName(of table: String) -> String {
            layout.qualified(SQLIdentifier.shortened(Self.prefix + infix + table))
        }

        /// The statement that removes the triggers and functions of tables; nil if there are none.
        func removalSQL(of tables: [String]) -> String? {
            guard !tables.isEmpty else { return nil }
            return "DROP FUNCTION \(tables.map { "\(functionName(of: $0))()" }.joined(separator: ", ")) CASCADE"
        }

        /// The statements that create a function with the rights of its owner: whoever may write to a table need have no
        /// rights on what the function writes. Nobody else can call it.
        static func function(_ name: String, returns type: String, _ body: String) -> String {
            """
            CREATE FUNCTION \(name)() RETURNS \(type) LANGUAGE plpgsql SECURITY DEFINER
                SET search_path = pg_catalog, pg_temp AS \(SQLIdentifier.literal(body));
            REVOKE ALL ON FUNCTION \(name)() FROM PUBLIC
            """
        }
    }
#endif
