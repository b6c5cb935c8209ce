#if PostgreSQL
    import GranaryBase
    import GranaryModel

    /// Replaces the tables of a store by those of its migrated copy in another schema, inside a transaction. What other
    /// programs have added to the tables is kept or is a reason to refuse.
    struct TableReplacement {
        private let old: PostgreSQLStore
        private let place: StorePlace
        private let backup: String?
        /// The indexes that somebody has added, as statements that create them.
        private let indexes: [String]
        /// The statements that give the new tables the rights of the old ones.
        private let grants: [String]

        private var connection: PostgreSQLConnection { place.connection }

        /// Looks at the tables, before something is written.
        ///
        /// - Parameter backup: the schema to which the old tables are moved; nil to drop them.
        /// - Throws: ``GranaryError``: `uncreatable` if the backup exists; `refused` with a diagnostic for each thing that
        ///   the replacement would lose.
        init(_ old: PostgreSQLStore, _ place: StorePlace, backup: String?) throws {
            self.old = old
            self.place = place
            self.backup = backup
            if let backup {
                guard backup.utf8.count <= SQLIdentifier.limit else {
                    throw GranaryError(
                        .uncreatable,
                        "\(place.source): the name of the schema \"\(backup)\" for the old tables is too long",
                        help: "--no-backup")
                }
                var name = SQLParameters()
                name.add(backup)
                guard try place.connection.query("SELECT FROM pg_namespace WHERE nspname = $1", name).rowCount == 0
                else {
                    throw GranaryError(
                        .uncreatable,
                        "\(place.source): the schema \"\(backup)\" for the old tables exists already; drop it, or keep no copy",
                        help: "--no-backup")
                }
            }
            let parts = try TableParts(old, place)
            guard parts.lost.isEmpty else {
                throw GranaryError(
                    .refused,
                    "\(place.source): other programs have added to the tables what a migration would lose; remove it, or migrate "
                        + "into another schema with --output; nothing was changed", diagnostics: parts.lost)
            }
            indexes = parts.indexes
            grants = try parts.grants()
        }

        /// - Parameters:
        ///   - new: the migrated store.
        ///   - newNamespace: the schema with its tables, unquoted.
        func run(_ new: PostgreSQLStore, in newNamespace: String) throws {
            // A table with pending checks cannot be moved.
            try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
            let generation = try connection.query("SELECT generation FROM \(old.layout.storeTable)").integer(0, 0) ?? 0
            // What the runs have changed are rows of the old tables.
            let tables = (old.layout.allNames + (try RunTables.names(in: connection, old.layout)))
                .map(old.layout.qualified)
            try place.dropTriggers()
            if let backup {
                let schema = SQLIdentifier.quoted(backup)
                try connection.execute("CREATE SCHEMA \(schema)")
                for table in tables { try connection.execute("ALTER TABLE \(table) SET SCHEMA \(schema)") }
                try createTriggers(of: old, in: schema)
            } else {
                try connection.execute("DROP TABLE \(tables.joined(separator: ", "))")
            }
            try StorePlace(place, namespace: newNamespace).dropTriggers()
            for name in new.layout.allNames {
                try connection.execute("ALTER TABLE \(new.layout.qualified(name)) SET SCHEMA \(old.layout.namespace)")
            }
            try createTriggers(of: new, in: old.layout.namespace)
            try connection.query(
                "UPDATE \(old.layout.storeTable) SET generation = $1", SQLParameters(generation &+ 1))
            for statement in try TableParts.revocations(new, place.namespace) { try connection.execute(statement) }
            for statement in grants {
                // A table can be gone in the newer version.
                do { try connection.transaction("") { try connection.execute(statement) } } catch let error
                    as PostgreSQLError
                    where error.isUndefinedTable
                {}
            }
            for statement in indexes {
                do { try connection.execute(statement) } catch let error as PostgreSQLError {
                    throw GranaryError(
                        .refused,
                        "\(place.source): an added index cannot be created on the new table: \(error.message) (\(statement)); "
                            + "drop it, and nothing was changed", underlying: error)
                }
            }
        }

        /// Creates the triggers of a store whose tables are in another schema now.
        private func createTriggers(of store: PostgreSQLStore, in namespace: String) throws {
            var layout = store.layout
            layout.namespace = namespace
            let statements = layout.triggerSQL(store.schema)
            if !statements.isEmpty { try connection.execute(statements.joined(separator: ";\n")) }
        }
    }
#endif
