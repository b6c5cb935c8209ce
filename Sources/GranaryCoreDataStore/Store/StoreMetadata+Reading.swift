import Foundation
import GranaryBase
package import GranaryCoordination
package import GranarySQLite

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
