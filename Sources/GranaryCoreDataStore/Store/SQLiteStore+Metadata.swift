package import Foundation
package import GranaryBase
package import GranaryCoordination
package import GranaryPropertyLists
package import GranarySQLite

extension SQLiteStore {
    package func setUserMetadata(_ entries: [PropertyListEntry]) throws {
        try checkWritable()
        metadata = try StoreMetadata.setUserEntries(entries, in: connection)
    }

    /// Reads the metadata of a store without its model.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store;
    ///   `busy`.
    static func metadata(path: String) throws(GranaryError) -> StoreMetadata {
        try converting {
            let connection = try Connection.reading(path: path)
            return try StoreMetadata.read(connection, try connection.schema())
        }
    }

    /// The version hashes of a store's entities.
    ///
    /// - Throws: ``GranaryError``: as ``metadata(path:)``.
    package static func versionHashes(path: String) throws(GranaryError) -> [String: Data] {
        try metadata(path: path).versionHashes
    }

    /// Replaces the app's own metadata of a store without its model.
    ///
    /// - Throws: ``GranaryError``: as ``metadata(path:)``; `uncreatable` if the file is write-protected.
    static func setUserMetadata(_ entries: [PropertyListEntry], path: String) throws(GranaryError) {
        try converting {
            let connection = try Connection(path: path, mode: .readWrite)
            _ = try StoreMetadata.setUserEntries(entries, in: connection)
        }
    }
}

extension StoreMetadata {
    /// Whether a deferred migration has left work, such as columns to remove.
    package var hasDeferredMigration: Bool { self["NSPersistentStoreDeferredLightweightMigrationOptionKey"] != nil }

    /// Replaces the app's own metadata. Reads the current metadata first: another process may have changed them since
    /// the store was opened.
    fileprivate static func setUserEntries(
        _ entries: [PropertyListEntry], in connection: Connection
    ) throws(GranaryError) -> StoreMetadata {
        try converting {
            try connection.transaction(.immediate) {
                let objects = try connection.schema()
                let changed = try StoreMetadata.read(connection, objects).replacingUserEntries(with: entries)
                try changed.write(to: connection, objects)
                return changed
            }
        }
    }

    /// Writes the property list into its column, inside a transaction. The UUID is not changed.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the table has a trigger or the row is missing.
    func write(to connection: Connection, _ objects: [SchemaObject]) throws {
        try Self.checkNoTrigger(connection, objects)
        let list = try propertyList()
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1") { statement in
            try statement.bind(blob: list, at: 1)
            try statement.run()
        }
        guard connection.changes == 1 else {
            throw GranaryError(
                Diagnostic(
                    .storeCorrupt,
                    "\(connection.path): the metadata could not be written: Z_METADATA has no row with Z_VERSION 1"))
        }
    }

    /// Checks that the metadata table has no trigger.
    static func checkNoTrigger(_ connection: Connection, _ objects: [SchemaObject]) throws(GranaryError) {
        guard
            let trigger = objects.first(where: { $0.type == "trigger" && $0.tableName.uppercased() == "Z_METADATA" })
        else { return }
        throw GranaryError(
            Diagnostic(
                .storeLayout,
                "\(connection.path): the trigger \"\(Diagnostic.shortened(trigger.name))\" is not one of Core Data's, so "
                    + "its effects are unknown"))
    }
}

extension SQLiteStore {
    package var folder: String? {
        URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    }

    /// Whether the schema has constraints that Core Data does not create. Core Data's tables have none except the
    /// indexes of uniqueness constraints. A name that contains a constraint's keyword counts too.
    package func mayRefuseRows() throws -> Bool {
        let tables = Set(layout.tables.map(\.name))
        return try connection.schema().contains { object in
            guard tables.contains(object.tableName), let sql = object.sql?.uppercased() else {
                // SQLite creates an index without a statement for UNIQUE in a table definition.
                return tables.contains(object.tableName) && object.type == "index"
            }
            switch object.type {
            case "table": return Self.ruleWords.contains { sql.contains($0) }
            case "index":
                return sql.contains("UNIQUE") && !(object.name.hasPrefix("Z_") && object.name.contains("_UNIQUE_"))
            default: return false
            }
        }
    }

    private static let ruleWords = ["CHECK", "UNIQUE", "NOT NULL", "GENERATED"]
}

extension StoreMetadata {
    /// - Throws: ``GranaryError`` with code `refused` if the file is not a Core Data store or its metadata is damaged.
    package static func read(_ connection: Connection, _ objects: [SchemaObject]) throws -> StoreMetadata {
        let tables = Set(objects.filter { $0.type == "table" }.map(\.name))
        let missing = ["Z_METADATA", "Z_PRIMARYKEY"].filter { !tables.contains($0) }
        guard missing.isEmpty else {
            if objects.isEmpty {
                throw GranaryError(
                    .refused,
                    "\(connection.path): is an empty SQLite database, not a store; remove the file, and an import or "
                        + "granary store create makes the store")
            }
            let reason = missing.count == 1 ? ": the table \(missing[0]) is missing" : ""
            throw GranaryError(
                .refused, "\(connection.path): is an SQLite database, but not a Core Data store\(reason)")
        }
        return try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1") { statement in
            guard try statement.step() else {
                throw GranaryError(.refused, "\(connection.path): its metadata (Z_METADATA) is empty")
            }
            let identifier = try statement.string(at: 0) ?? ""
            guard UUID(uuidString: identifier) != nil else {
                throw GranaryError(
                    .refused,
                    "\(connection.path): its identifier (Z_UUID) is not a UUID: "
                        + "\"\(Diagnostic.shortened(identifier))\"")
            }
            return try StoreMetadata(
                identifier: identifier, propertyList: Array(try statement.blob(at: 1)), path: connection.path)
        }
    }
}
