package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore

/// One finding of a store check: what is wrong, where, and how to repair it.
package struct StoreFinding: Sendable, Hashable {
    /// What is wrong. Its message has neither the place nor the advice; ``described`` has both.
    package var diagnostic: Diagnostic
    /// Nil for what concerns the whole file.
    package var table: String?
    /// `Z_PK` of the row; in a join table the owner's key. Nil for what concerns the whole table.
    package var key: Int64?
    /// The table's column.
    package var column: String?
    /// How to repair it, in words. Never a statement of SQL: a store that an app uses is repaired by Core Data, by an
    /// import or from a backup.
    package var advice: String?

    /// The diagnostic with place and advice in its message.
    package var described: Diagnostic {
        var described = diagnostic
        if let table {
            described.message += "; in \(table)" + (column.map { ".\($0)" } ?? "")
            if let key { described.message += ", \(Self.keyName(in: table)) \(key)" }
        }
        if let advice { described.message += "; advice: \(advice)" }
        return described
    }

    private static func keyName(in table: String) -> String {
        if table == "Z_PRIMARYKEY" { return "Z_ENT" }
        // A join table has two keys; it is the owner's.
        return table.hasPrefix("Z_") ? "owner" : "Z_PK"
    }
}

/// The keys of a diagnostic, and `table`, `key`, `column` and `advice` as far as they apply.
extension StoreFinding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case table, key, column, advice
    }

    package func encode(to encoder: any Encoder) throws {
        try diagnostic.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(table, forKey: .table)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encodeIfPresent(advice, forKey: .advice)
    }
}
