#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// The keys, indexes and foreign keys of a new store, which are created after its rows (``PendingKeys``).
    extension PostgreSQLStore {
        /// Creates the primary key and the indexes of a table, if they are pending.
        ///
        /// - Throws: ``GranaryError`` with code `refused` if rows violate a unique index.
        func completeKeys(ofTable index: Int) throws {
            guard let statements = pendingKeys.tables.removeValue(forKey: index) else { return }
            try executeKeys(statements)
        }

        /// Creates the primary key and the indexes of a join table, if they are pending.
        func completeKeys(ofJoin index: Int) throws {
            guard let statements = pendingKeys.joins.removeValue(forKey: index) else { return }
            try executeKeys(statements)
        }

        /// Creates all that is pending.
        ///
        /// - Throws: ``GranaryError`` with code `refused` also if a row refers to an object that does not exist.
        func completeAllKeys() throws {
            guard !pendingKeys.isEmpty else { return }
            let keys = pendingKeys
            pendingKeys = PendingKeys()
            try executeKeys(
                keys.tables.sorted { $0.key < $1.key }.flatMap(\.value)
                    + keys.joins.sorted { $0.key < $1.key }.flatMap(\.value) + keys.references + keys.derived)
            try completeDerivedTexts()
        }

        private func executeKeys(_ statements: [String]) throws {
            do { try connection.execute(statements.joined(separator: ";\n")) } catch let error as PostgreSQLError {
                throw keyRefusal(error) ?? error
            }
        }

        /// The error of rows that a key does not allow; nil for other errors.
        func keyRefusal(_ error: PostgreSQLError) -> GranaryError? {
            let table = layout.tables.first { $0.name == error.table }
            let entity = table.map { schema.entities[$0.root] }
            let detail = error.detail ?? error.message
            let columns = PostgreSQLWriter.columns(in: detail)
            let diagnostic: Diagnostic
            switch error.state {
            case "23503":
                diagnostic = Diagnostic(
                    .relationshipNotFound, "an object refers to an object that does not exist: \(detail)",
                    entity: entity?.name, property: columns.first)
            case "23505":
                let names = columns.map { name in table?.columns.first { $0.name == name }?.property ?? name }
                    .joined(separator: ", ")
                diagnostic = Diagnostic(
                    .uniqueExists, "\(names) must be unique, and several objects have the same value: \(detail)",
                    entity: entity?.name, property: names, coreDataCode: Diagnostic.Code.uniqueExists.coreDataCode)
            default: return nil
            }
            return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
        }
    }
#endif
