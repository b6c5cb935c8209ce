/// The columns that a table of rejected records has besides their fields.
enum RejectsTableColumns {
    /// The column of a record that its other columns do not hold.
    static let record = "$record"

    /// The source, the place, the property, the rule and the message of the problems, and the record as it was found if
    /// the fields are no faithful copy.
    static let names = ["$file", "$line", "$column", "$property", "$rule", "$message", record]

    /// What ``record`` has for a record whose text was not kept.
    static let unreadable = "(this record could not be read)"

    /// Whether a column of a source is one of these. Attributes cannot have such names. Without ``record`` a table is
    /// not recognised, because the records in it would be lost.
    static func contains(_ column: String, in columns: [String]) -> Bool {
        column == record
            || column.utf8.first == UInt8(ascii: "$") && names.contains(column) && columns.contains(record)
    }
}
