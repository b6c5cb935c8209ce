import Foundation
import GranaryCoordination
import GranarySQLite

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
