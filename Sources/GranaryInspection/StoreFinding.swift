public import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore

/// A finding of a store check: the problem, its place, and advice to repair it.
public struct StoreFinding: Sendable, Hashable {
    /// The problem. The message contains neither the place nor the advice; ``described`` contains both.
    public var diagnostic: Diagnostic
    /// The table; nil for the whole file.
    public var table: String?
    /// `Z_PK` of the row, in a join table the owner's key; nil for the whole table.
    public var key: Int64?
    /// The table's column.
    public var column: String?
    /// How to repair it, in words. Never an SQL statement: a store that an app uses is repaired by Core Data, by an
    /// import or from a backup.
    public var advice: String?

    /// The diagnostic with place and advice in its message.
    public var described: Diagnostic {
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
        // In a join table the key is the owner's.
        return table.hasPrefix("Z_") ? "owner" : "Z_PK"
    }
}

/// Encodes the diagnostic's members, and `table`, `key`, `column` and `advice` if they are not nil.
extension StoreFinding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case table, key, column, advice
    }

    public func encode(to encoder: any Encoder) throws {
        try diagnostic.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(table, forKey: .table)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encodeIfPresent(advice, forKey: .advice)
    }
}

/// The advice of findings.
enum StoreAdvice {
    /// For a damaged file.
    static let recover = "restore a backup, or recover the file with sqlite3's .recover"
    /// For indexes that disagree with their tables. Exports refuse such a store.
    static let rebuildIndexes = "rebuild the indexes with sqlite3's REINDEX, or restore a backup"
    /// Data is lost, and the store has no copy of it.
    static let restore = "restore the store from a backup"
    /// For intact objects with damaged tables or bookkeeping. Values that break rules need `--as-is`.
    static let copyObjects = "export the store with --reference id, and import the export with --as-is into a new store"
    /// For a store that may belong to another model.
    static let otherModel = "use the model that the store was created with, or restore the store from a backup"
    /// For a wrong embedded model, which Core Data replaces when it opens the store for writing.
    static let modelCache = "provide the model; Core Data does not need the embedded one"
    static let changeValue = "change the value of one of them, or delete one"
    static let deleteObject = "delete the object, and import it again under a concrete entity"
    static let setRelationship = "set the relationship again, or delete the object"
    static let bothDirections = "none is needed: Granary reads such a link in both directions"
    /// For a one-to-one of which only one side is set.
    static let oneSided = "none is needed: each side is read as it is stored; set the relationship again to set both"
    /// For values of another storage class than their attribute's.
    static let converted = "none is needed: the values are converted when they are read"
    static let setOrder = "set the ordered relationship again"
    static let deleteHistory = "delete the persistent history up to this transaction"

    /// For a value that the model does not allow.
    static func setValue(isOptional: Bool) -> String {
        isOptional ? "set a value that the model allows, or no value" : "set a value that the model allows"
    }
}
