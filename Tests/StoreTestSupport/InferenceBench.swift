import Foundation
import GranaryContexts
import GranaryCoordination
package import GranaryCoreDataStore
import GranaryInspection
package import GranaryModel
import GranaryPropertyLists
import GranarySQLite
package import TestSupport

/// A store without a model, created with SQL.
package struct InferenceBench {
    package let folder: TemporaryFolder
    package var path: String { folder.storePath }

    /// - Parameter entities: the names, and the numbers of their superentities, for the numbers from 1 on.
    package init(_ entities: [(name: String, parent: Int)], _ sql: String) throws {
        folder = try TemporaryFolder()
        let list = try PropertyList.write(
            .dictionary([PropertyListEntry("NSPersistenceFrameworkVersion", .integer(419))]), as: .binary)
        let connection = try Connection(path: folder.storePath, mode: .create)
        // One transaction: each statement would wait for the disk otherwise.
        try connection.transaction {
            try connection.execute(
                """
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', X'\(Self.hex(list))');
                """)
            for (index, entity) in entities.enumerated() {
                try connection.execute(
                    "INSERT INTO Z_PRIMARYKEY VALUES (\(index + 1), \(SQL.quoteText(entity.name)), \(entity.parent), 0)"
                )
            }
            try connection.execute(sql)
        }
        try connection.close()
    }

    package func execute(_ sql: String) throws {
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute(sql)
        try connection.close()
    }

    package func read() throws -> StoreModel { try StoreModel.read(path: path) }

    /// The properties of the entities, one line for each entity.
    package func lines() throws -> [String] { Self.lines(try read().schema) }

    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `Tweet: text String, user → User`
    package static func lines(_ schema: Schema) -> [String] {
        schema.model.entities.map { entity in
            let attributes = entity.attributes.map { "\($0.name) \($0.type.name)" }
            let relationships = entity.relationships.map { relationship in
                let arrow = relationship.isToMany ? relationship.isOrdered ? "⇉ ordered" : "⇉" : "→"
                let inverse = relationship.inverseName.map { " (\($0))" } ?? ""
                return "\(relationship.name) \(arrow) \(relationship.destinationEntityName)\(inverse)"
            }
            return "\(entity.name): " + (attributes + relationships).joined(separator: ", ")
        }
    }

    /// Reads every value and link of a store.
    ///
    /// - Returns: for each entity, the number of rows read and the number that SQLite counts.
    package static func rowCounts(_ store: SQLiteStore) throws -> [(read: Int, counted: Int)] {
        let connection = try Connection(path: store.path, mode: .readOnly)
        return try store.schema.entities.map { entity in
            var read = 0
            try store.read(entities: entity.index..<entity.index + 1, batchSize: 100) { batch in
                read += batch.rows.count
                for row in batch.rows.indices {
                    for attribute in entity.attributes where attribute.isPersistent {
                        _ = try batch.value(row: row, of: attribute)
                    }
                }
                return true
            }
            for relationship in entity.relationships where relationship.isToMany {
                try store.readLinks(of: relationship, owners: nil) { _ in }
            }
            let table = SQL.quoteIdentifier(store.layout.tables[store.layout.tableOfEntity[entity.index]].name)
            let counted = try connection.integer("SELECT COUNT(*) FROM \(table) WHERE Z_ENT = \(entity.number)")
            return (read, Int(counted ?? -1))
        }
    }
}
