#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination

    /// The row of the table `granary_store`.
    struct StoreRow {
        let layout: Int64
        let identifier: String
        let model: [UInt8]
        let propertyList: [UInt8]
        let tables: [String]

        /// The largest model that is read, in bytes of JSON.
        private static let modelLimit: Int64 = 64 << 20

        /// - Parameter namespace: the schema, quoted.
        /// - Throws: ``PostgreSQLError`` if there is no such table; ``GranaryError`` with code `refused` if its content is
        ///   not a store's.
        init(_ connection: PostgreSQLConnection, _ namespace: String) throws {
            let table = "\(namespace).\(SQLIdentifier.quoted(StoreLayout.storeTable))"
            let size = try connection.query("SELECT octet_length(model), octet_length(metadata) FROM \(table)")
            guard size.rowCount == 1, let model = size.integer(0, 0), let metadata = size.integer(0, 1),
                model <= Self.modelLimit, metadata <= Self.modelLimit
            else { throw Self.damaged(connection.source, "it does not have one row, or the row is too large") }
            let row = try connection.query(
                "SELECT layout, identifier::text, model, metadata, array_to_json(tables)::text FROM \(table)")
            guard let layout = row.integer(0, 0), let identifier = row.text(0, 1), let model = row.bytes(0, 2),
                let propertyList = row.bytes(0, 3)
            else { throw Self.damaged(connection.source, "a column is NULL") }
            guard layout == StoreLayout.version else {
                throw GranaryError(
                    .refused,
                    "\(connection.source): the store has the layout \(layout), and this version of Granary knows the layout "
                        + "\(StoreLayout.version)")
            }
            self.layout = layout
            self.identifier = identifier.uppercased()
            self.model = model
            self.propertyList = propertyList
            tables = row.bytes(0, 4).flatMap { try? JSONDecoder().decode([String].self, from: Data($0)) } ?? []
        }

        func metadata(_ source: String) throws(GranaryError) -> StoreMetadata {
            try StoreMetadata(identifier: identifier, propertyList: propertyList, path: source)
        }

        static func damaged(_ source: String, _ reason: String) -> GranaryError {
            GranaryError(
                Diagnostic(.storeCorrupt, "\(source): the table \(StoreLayout.storeTable) is not a store's: \(reason)"))
        }
    }
#endif
