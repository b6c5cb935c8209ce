import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryPropertyLists
import GranarySQLite

extension StoreMetadata {
    /// How many rows `Z_METADATA` has. Core Data writes one (sqlite-layout §2); which of several it reads is not known.
    static func rowCount(_ connection: Connection) throws -> Int64 {
        try connection.integer("SELECT COUNT(*) FROM Z_METADATA") ?? 0
    }

    /// What can be read of a store's metadata, and what is wrong with them.
    ///
    /// - Throws: ``GranaryError`` with code `refused` where the file is no Core Data store at all.
    static func readDamaged(
        _ connection: Connection, _ objects: [SchemaObject]
    ) throws -> (metadata: StoreMetadata, problem: GranaryError?) {
        do {
            return (try read(connection, objects), nil)
        } catch let error as GranaryError {
            let tables = Set(objects.filter { $0.type == "table" }.map(\.name))
            guard tables.contains("Z_METADATA"), tables.contains("Z_PRIMARYKEY") else { throw error }
            let identifier = try? connection.text("SELECT Z_UUID FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
            let nothing = try PropertyList.write(.dictionary([]), as: .binary)
            let metadata = try StoreMetadata(
                identifier: identifier ?? "", propertyList: nothing, path: connection.path)
            return (metadata, error)
        }
    }
}
