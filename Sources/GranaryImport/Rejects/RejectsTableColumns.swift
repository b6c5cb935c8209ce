/// The columns that a table of rejected records has besides their fields.
enum RejectsTableColumns {
    /// The source, the place, the property, the rule and the message of the problems, and a record that has no fields
    /// as it was found.
    static let names = ["$file", "$line", "$column", "$property", "$rule", "$message", "$record"]

    /// Whether a column of a source is one of these, which an import of the table does not read. Attributes cannot have
    /// such names.
    static func contains(_ column: String, in columns: [String]) -> Bool {
        column.utf8.first == UInt8(ascii: "$") && names.contains(column) && Set(names).isSubset(of: columns)
    }
}
