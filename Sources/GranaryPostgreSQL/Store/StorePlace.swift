#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// A connection and the schema in which a store is or will be.
    struct StorePlace {
        let connection: PostgreSQLConnection
        /// The schema, unquoted.
        let namespace: String
        /// Whether the connection string names the schema.
        private let isNamed: Bool
        /// Opens another connection; nil if another one could not see the store.
        private let connect: (() throws -> PostgreSQLConnection)?

        var source: String { connection.source }

        init(_ text: String, timeout: Duration) throws(GranaryError) {
            let text = try ConnectionText(text)
            connection = try PostgreSQLConnection(text, lockTimeout: timeout)
            isNamed = text.schema != nil
            connect = { try PostgreSQLConnection(text, lockTimeout: timeout) }
            guard let namespace = text.schema ?? connection.currentSchema else {
                throw GranaryError(
                    .unreadable,
                    "\(text.displayName): none of the schemas in the search path exists; name one with ?schema=NAME")
            }
            self.namespace = namespace
        }

        /// Another schema of the same connection, for a store that only the connection's transaction sees.
        init(_ place: StorePlace, namespace: String) {
            connection = place.connection
            self.namespace = namespace
            isNamed = true
            connect = nil
        }

        private var quoted: String { SQLIdentifier.quoted(namespace) }

        func hasStore() throws -> Bool {
            var parameters = SQLParameters()
            parameters.add("\(quoted).\(SQLIdentifier.quoted(StoreLayout.storeTable))")
            // NULL if there is no such table.
            return try connection.query("SELECT to_regclass($1)::oid::bigint", parameters).integer(0, 0) != nil
        }

        /// Whether the schema exists. `CREATE SCHEMA IF NOT EXISTS` needs a right on the database even if it does.
        private func hasNamespace() throws -> Bool {
            var parameters = SQLParameters()
            parameters.add(quoted)
            return try connection.query("SELECT to_regnamespace($1)::oid::bigint", parameters).integer(0, 0) != nil
        }

        /// - Throws: ``GranaryError`` with code `unreadable` if there is no store.
        func row() throws(GranaryError) -> StoreRow {
            try converting {
                guard try hasStore() else {
                    throw GranaryError(
                        .unreadable,
                        "\(source): there is no store: the schema \(quoted) has no table \(StoreLayout.storeTable)")
                }
                return try StoreRow(connection, quoted)
            }
        }

        func storedModel() throws(GranaryError) -> ManagedObjectModel { try model(of: try row()) }

        private func model(of row: StoreRow) throws(GranaryError) -> ManagedObjectModel {
            do { return try JSONDecoder().decode(ManagedObjectModel.self, from: Data(row.model)) } catch {
                throw StoreRow.damaged(source, "its model cannot be read: \(error.localizedDescription)")
            }
        }

        /// Opens the store.
        ///
        /// - Parameter schema: nil for the model in the store.
        /// - Throws: ``GranaryError``: `unreadable` if there is no store; `refused` if the model does not fit.
        func open(
            schema given: Schema?, readOnly: Bool = false, comparesHashes: Bool = true
        ) throws(GranaryError) -> PostgreSQLStore {
            let row = try row()
            let metadata = try row.metadata(source)
            let schema: Schema
            if let given { schema = given } else { schema = try model(of: row).resolved() }
            let differences = comparesHashes ? metadata.differences(from: schema) : []
            guard differences.isEmpty else {
                throw GranaryError(
                    .refused, "\(source): the model does not fit the store; without a model, its own one is used",
                    diagnostics: differences)
            }
            var layout = try StoreLayoutBuilder.layout(for: schema, namespace: namespace)
            layout.hasHistory = try converting { try PostgreSQLStore.hasHistory(connection, layout) }
            return PostgreSQLStore(
                connection, schema: schema, layout: layout, metadata: metadata, isReadOnly: readOnly,
                connect: connect)
        }

        func openOrCreate(
            schema: Schema, readOnly: Bool, tracksHistory: Bool, comparesHashes: Bool
        ) throws(GranaryError) -> PostgreSQLStore {
            let exists = try converting { try hasStore() }
            if readOnly || exists {
                let store = try open(schema: schema, readOnly: readOnly, comparesHashes: comparesHashes)
                if tracksHistory, !readOnly { try converting { try store.startHistory() } }
                return store
            }
            let store = try create(schema: schema, identifier: nil, tracksHistory: tracksHistory)
            try store.publish()
            return store
        }

        /// Creates an empty store in a transaction that stays open until ``PostgreSQLStore/publish()``.
        func create(
            schema: Schema, identifier: UUID?, tracksHistory: Bool = false
        ) throws(GranaryError) -> PostgreSQLStore {
            do {
                guard try !hasStore() else { throw GranaryError(.uncreatable, "\(source): already has a store") }
                try connection.engine().check(source)
                try begin()
                let store = try build(schema, identifier: identifier, hasHistory: tracksHistory)
                if tracksHistory { try store.recordChanges() }
                return store
            } catch let error as PostgreSQLError where error.isDuplicateObject || error.isUniqueViolation {
                throw GranaryError(
                    .uncreatable,
                    "\(source): \(error.message); the tables of a store must not exist yet: use another schema (?schema=NAME)",
                    help: nil)
            } catch {
                return try converting { throw error }
            }
        }

        /// Begins a transaction that ends with ``PostgreSQLStore/publish()`` or with the connection.
        func begin() throws {
            try connection.execute("BEGIN")
            connection.depth = 1
        }

        /// Creates the tables of an empty store, inside a transaction. Changes are not recorded in its history yet.
        func build(_ schema: Schema, identifier: UUID?, hasHistory: Bool = false) throws -> PostgreSQLStore {
            var layout = try StoreLayoutBuilder.layout(for: schema, namespace: namespace)
            let metadata = StoreMetadata(
                schema: schema, identifier: (identifier ?? UUID()).uuidString, type: "PostgreSQL")
            if try isNamed && !hasNamespace() { try connection.execute("CREATE SCHEMA \(quoted)") }
            try connection.execute(layout.creationSQL(schema))
            if hasHistory {
                layout.hasHistory = true
                try connection.execute(HistoryTables.creationSQL(layout).joined(separator: ";\n"))
            }
            try insertRow(layout, schema, metadata)
            return PostgreSQLStore(
                connection, schema: schema, layout: layout, metadata: metadata, isUnpublished: true,
                pendingKeys: layout.pendingKeys(schema), connect: connect)
        }

        private func insertRow(_ layout: StoreLayout, _ schema: Schema, _ metadata: StoreMetadata) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var parameters = SQLParameters()
            parameters.add(StoreLayout.version)
            parameters.add(metadata.identifier)
            parameters.add(String(decoding: try encoder.encode(schema.model), as: UTF8.self))
            parameters.add(bytes: try metadata.propertyList())
            parameters.add(list: layout.allNames)
            try connection.query(
                "INSERT INTO \(layout.storeTable) (layout, identifier, model, metadata, tables) "
                    + "VALUES ($1::integer, $2::uuid, $3, $4, $5)", parameters)
        }

        /// Drops the tables in one statement, so that their references to each other do not matter.
        func destroy() throws(GranaryError) {
            try converting {
                guard try hasStore() else { return }
                let names = try StoreRow(connection, quoted).tables.map { "\(quoted).\(SQLIdentifier.quoted($0))" }
                guard !names.isEmpty else { throw StoreRow.damaged(source, "it does not name the tables") }
                try connection.transaction("BEGIN") {
                    try dropTriggers()
                    try connection.execute("DROP TABLE \(names.joined(separator: ", "))")
                }
            }
        }

        /// Drops the functions of the store with their triggers.
        func dropTriggers() throws {
            var parameters = SQLParameters()
            parameters.add(namespace)
            let functions = try connection.query(StatementTriggers.functions, parameters)
            let names = (0..<functions.rowCount).compactMap { functions.text($0, 0) }
            guard !names.isEmpty else { return }
            try connection.execute("DROP FUNCTION \(names.joined(separator: ", ")) CASCADE")
        }
    }
#endif
