package import GranaryBase

/// One thing that a check of a store has found: what is wrong, where it lies, and what would mend it.
package struct StoreFinding: Sendable, Hashable {
    /// What is wrong. Its message says neither the place nor the remedy; ``described`` does.
    package var diagnostic: Diagnostic
    /// Nil for what concerns the whole file.
    package var table: String?
    /// `Z_PK` of the row; in a join table the owner's key. Nil for what concerns the whole table.
    package var key: Int64?
    /// The table's column.
    package var column: String?
    /// A statement of SQL, or words where no statement could know the right value.
    package var mend: String?

    /// The diagnostic with place and remedy in its message: what people read.
    package var described: Diagnostic {
        var described = diagnostic
        if let table {
            described.message += "; in \(table)" + (column.map { ".\($0)" } ?? "")
            if let key { described.message += ", \(Self.keyName(in: table)) \(key)" }
        }
        if let mend { described.message += "; mend: \(mend)" }
        return described
    }

    private static func keyName(in table: String) -> String {
        if table == "Z_PRIMARYKEY" { return "Z_ENT" }
        // A join table has two keys; it is the owner's.
        return table.hasPrefix("Z_") ? "owner" : "Z_PK"
    }
}

/// The keys of a diagnostic, and `table`, `key`, `column` and `mend` as far as they apply.
extension StoreFinding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case table, key, column, mend
    }

    package func encode(to encoder: any Encoder) throws {
        try diagnostic.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(table, forKey: .table)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encodeIfPresent(mend, forKey: .mend)
    }
}
