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

/// The ways to repair a store, in the words that findings use.
enum StoreAdvice {
    /// The file itself is damaged.
    static let recover = "restore a backup, or recover the file with sqlite3's .recover"
    /// Data is lost and the store has no copy of it.
    static let restore = "restore the store from a backup"
    /// The objects are intact but tables or bookkeeping are not; a new store repairs both.
    static let copyObjects = "export the store, and import the export into a new store"
    /// The store may be intact but belong to another model.
    static let otherModel = "use the model that the store was created with, or restore the store from a backup"
    /// The model inside the store; Core Data replaces it when it opens the store to write.
    static let modelCache = "name the model with --model; Core Data does not need the model inside the store"
    static let deleteObject = "delete the object, and import it again under a concrete entity"
    static let setRelationship = "set the relationship again, or delete the object"
    static let setOrder = "set the ordered relationship again"
    static let deleteHistory = "delete the persistent history up to this transaction"

    /// A value that the model does not allow.
    static func setValue(isOptional: Bool) -> String {
        isOptional ? "set a value that the model allows, or no value" : "set a value that the model allows"
    }
}
