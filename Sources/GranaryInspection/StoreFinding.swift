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

    /// Whether the store was created with another model than the given one. Each entity that differs is such a finding,
    /// and all of them have the same advice.
    package var isOfOtherModel: Bool { table == "Z_METADATA" && advice == StoreAdvice.otherModel }

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
