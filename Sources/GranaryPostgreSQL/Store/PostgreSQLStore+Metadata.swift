#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryPropertyLists

    extension PostgreSQLStore {
        func setUserMetadata(_ entries: [PropertyListEntry]) throws {
            try transaction { _ in
                try write(try readMetadata().replacingUserEntries(with: entries))
            }
        }

        /// Reads the metadata again: another connection may have changed them.
        func readMetadata() throws -> StoreMetadata {
            metadata = try StoreRow(connection, layout.namespace).metadata(source)
            return metadata
        }

        /// Writes the metadata, inside a transaction.
        func write(_ changed: StoreMetadata) throws {
            var parameters = SQLParameters()
            parameters.add(bytes: try changed.propertyList())
            let result = try connection.query("UPDATE \(layout.storeTable) SET metadata = $1", parameters)
            guard result.changes == 1 else {
                throw GranaryError(
                    Diagnostic(.storeCorrupt, "\(source): the table \(StoreLayout.storeTable) has no row"))
            }
            metadata = changed
        }
    }
#endif
