import Foundation
import GranaryBase
package import GranaryCoordination
package import GranaryPropertyLists
package import GranarySQLite

extension SQLiteStore {
    package func setUserMetadata(_ entries: [PropertyListEntry]) throws {
        guard !isReadOnly else {
            throw GranaryError(.usage, "\(path): the store was opened for reading only")
        }
        metadata = try StoreMetadata.setUserEntries(entries, in: connection)
    }

    /// What a store says about itself, whatever its model.
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no Core Data store; `busy`.
    static func metadata(path: String) throws(GranaryError) -> StoreMetadata {
        try converting {
            let connection = try Connection.reading(path: path)
            return try StoreMetadata.read(connection, try connection.schema())
        }
    }

    /// Replaces what the metadata have of an app's own, whatever the store's model.
    ///
    /// - Throws: ``GranaryError``, as ``metadata(path:)``; `uncreatable` when the file is write-protected.
    static func setUserMetadata(_ entries: [PropertyListEntry], path: String) throws(GranaryError) {
        try converting {
            let connection = try Connection(path: path, mode: .readWrite)
            _ = try StoreMetadata.setUserEntries(entries, in: connection)
        }
    }
}

extension StoreMetadata {
    /// Writes the one column that the metadata are, upon what it holds now: another process may have written it since
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

    /// Writes the property list into its column, inside a transaction; the UUID stays.
    ///
    /// - Throws: ``GranaryError`` with code `refused` where a trigger would see it, or the row is missing.
    func write(to connection: Connection, _ objects: [SchemaObject]) throws {
        try Self.checkNoTrigger(connection, objects)
        let list = try propertyList()
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1") { statement in
            try list.withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
        guard connection.changes == 1 else {
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(connection.path): Z_METADATA did not take the metadata"))
        }
    }

    static func checkNoTrigger(_ connection: Connection, _ objects: [SchemaObject]) throws(GranaryError) {
        guard
            let trigger = objects.first(where: { $0.type == "trigger" && $0.tableName.uppercased() == "Z_METADATA" })
        else { return }
        throw GranaryError(
            Diagnostic(
                .storeLayout,
                "\(connection.path): the trigger \"\(Diagnostic.shortened(trigger.name))\" is not Core Data's; nobody "
                    + "knows what it would do"))
    }
}

extension SQLiteStore {
    package var folder: String? {
        URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    }

    /// Core Data's own schema has no rules for rows but the indexes of uniqueness constraints. A name that looks like a rule
    /// counts as one.
    package func mayRefuseRows() throws -> Bool {
        let tables = Set(layout.tables.map(\.name))
        return try connection.schema().contains { object in
            guard tables.contains(object.tableName), let sql = object.sql?.uppercased() else {
                // SQLite makes an index without a statement for UNIQUE in a table.
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
    /// - Throws: ``GranaryError`` with code `refused` when the file is no Core Data store, or its metadata is broken.
    package static func read(_ connection: Connection, _ objects: [SchemaObject]) throws -> StoreMetadata {
        let tables = Set(objects.filter { $0.type == "table" }.map(\.name))
        let missing = ["Z_METADATA", "Z_PRIMARYKEY"].filter { !tables.contains($0) }
        guard missing.isEmpty else {
            let reason = missing.count == 1 ? ": the table \(missing[0]) is missing" : ""
            throw GranaryError(.refused, "\(connection.path): is an SQLite database, but no Core Data store\(reason)")
        }
        return try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1") { statement in
            guard try statement.step() else {
                throw GranaryError(.refused, "\(connection.path): its metadata (Z_METADATA) is empty")
            }
            let identifier = try statement.string(at: 0) ?? ""
            guard UUID(uuidString: identifier) != nil else {
                throw GranaryError(
                    .refused,
                    "\(connection.path): its identifier (Z_UUID) is no UUID: "
                        + "\"\(Diagnostic.shortened(identifier))\"")
            }
            return try StoreMetadata(
                identifier: identifier, propertyList: Array(try statement.blob(at: 1)), path: connection.path)
        }
    }
}
