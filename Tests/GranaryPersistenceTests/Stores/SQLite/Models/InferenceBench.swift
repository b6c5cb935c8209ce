import Foundation
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryPropertyLists
import GranarySQLite
import TestSupport

/// A store without a model, made by hand.
struct InferenceBench {
    let folder: TemporaryFolder
    var path: String { folder.storePath }

    /// - Parameter entities: names and the numbers of their superentities, from number 1 on.
    init(_ entities: [(name: String, parent: Int)], _ sql: String) throws {
        folder = try TemporaryFolder()
        let list = try PropertyList.write(
            .dictionary([PropertyListEntry("NSPersistenceFrameworkVersion", .integer(419))]), as: .binary)
        let connection = try Connection(path: folder.storePath, mode: .create)
        try connection.execute(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', X'\(Self.hex(list))');
            """)
        for (index, entity) in entities.enumerated() {
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY VALUES (\(index + 1), \(SQL.quoteText(entity.name)), \(entity.parent), 0)")
        }
        try connection.execute(sql)
        try connection.close()
    }

    func execute(_ sql: String) throws {
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute(sql)
        try connection.close()
    }

    func read() throws -> StoreModel { try StoreModel.read(path: path) }

    /// What the entities have, a line each.
    func lines() throws -> [String] { Self.lines(try read().schema) }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `Tweet: text String, user → User`
    static func lines(_ schema: Schema) -> [String] {
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
    /// - Returns: for each entity how many rows were read, and how many SQLite counts.
    static func rowCounts(_ store: SQLiteStore) throws -> [(read: Int, counted: Int)] {
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
