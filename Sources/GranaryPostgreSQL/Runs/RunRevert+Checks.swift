#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    extension RunRevert {
        /// The query for the recorded rows of a table, with their present values in `now`. Its parameter is the run.
        func present(_ table: RecordedTable) -> String {
            """
            SELECT r.*, \(table.present("t")) AS now,
                \(table.hasObjects ? "t.\(PostgreSQLStore.entity)" : "NULL") AS entity
            FROM \(layout.qualified(RunTables.row)) r LEFT JOIN \(table.qualified) t ON \(table.isRow("t", "r"))
            WHERE r.run = $1 AND r.place = \(table.literal) OFFSET 0
            """
        }

        /// The condition that a row of ``present(_:)`` is as the run left it.
        static var isAsLeft: String { "r.after IS NOT DISTINCT FROM \(RecordedTable.digest("r.now"))" }

        /// Compares the rows of a table with their state after the run.
        mutating func check(_ table: RecordedTable) throws {
            var parameters = SQLParameters()
            parameters.add(run)
            let others = """
                SELECT r.key, r.member, r.entity, (r.now IS NULL)::integer, (r.after IS NULL)::integer FROM (\(present(table))) r
                WHERE NOT r.raised AND NOT (\(Self.isAsLeft)) ORDER BY r.key, r.member
                """
            try connection.forEachRow(others, parameters) { result, row in
                let (key, member) = (result.integer(row, 0) ?? 0, result.integer(row, 1) ?? 0)
                refusal.addChange(
                    of: table.hasObjects ? "p\(key)" : "\(table.name) p\(key) p\(member)",
                    isGone: result.integer(row, 3) == 1, wasGone: result.integer(row, 4) == 1,
                    entity: table.hasObjects ? result.text(row, 2) ?? table.name : nil)
                return true
            }
        }

        /// Finds links of others to objects that are removed.
        mutating func checkLinks() throws {
            for join in layout.joinTables {
                for (column, root) in [(JoinTable.owner, join.ownerRoot), (JoinTable.member, join.memberRoot)] {
                    try addReferences(
                        from: join.name, key: JoinTable.owner, column: column, to: layout.table(of: root).name)
                }
            }
        }

        /// Checks the references after the rows are restored: none may lead to an object that was removed or is missing.
        mutating func checkReferences() throws {
            for table in layout.tables {
                for column in table.columns where column.content == .reference {
                    let relationship = store.schema.entities[column.entity].relationships.first {
                        $0.slot == column.slot
                    }
                    guard let relationship else { continue }
                    let destination = layout.table(of: relationship.destination).name
                    let name = SQLIdentifier.quoted(column.name)
                    try addReferences(from: table.name, key: PostgreSQLStore.key, column: name, to: destination)
                    try addDangling(in: table.name, column: name, to: destination)
                }
            }
            for join in layout.joinTables {
                for (column, root) in [(JoinTable.owner, join.ownerRoot), (JoinTable.member, join.memberRoot)] {
                    try addDangling(in: join.name, column: column, to: layout.table(of: root).name)
                }
            }
        }

        private mutating func addReferences(
            from name: String, key: String, column: String, to destination: String
        ) throws {
            let references = """
                SELECT t.\(key), t.\(column) FROM \(layout.qualified(name)) t JOIN \(Self.undone) u
                ON u.place = \(SQLIdentifier.literal(destination)) AND u.key = t.\(column) AND u.before IS NULL ORDER BY 1, 2
                """
            // Any number of rows can refer to the objects of a run.
            try connection.forEachRow(references) { result, row in
                refusal.addReference(
                    from: "\(name) \(result.integer(row, 0) ?? 0)", by: column, to: result.integer(row, 1) ?? 0)
                return true
            }
        }

        private mutating func addDangling(in name: String, column: String, to destination: String) throws {
            guard let table = tables.first(where: { $0.name == name }) else { return }
            let found = try connection.query(
                """
                SELECT count(*) FROM \(Self.undone) u JOIN \(table.qualified) t ON \(table.isRow("t", "u"))
                WHERE u.place = \(table.literal) AND u.before IS NOT NULL AND t.\(column) IS NOT NULL
                AND NOT EXISTS (SELECT FROM \(layout.qualified(destination)) d WHERE d.\(PostgreSQLStore.key) = t.\(column))
                """)
            if let count = found.integer(0, 0), count > 0 { refusal.addDangling(count, of: name, by: column) }
        }
    }
#endif
