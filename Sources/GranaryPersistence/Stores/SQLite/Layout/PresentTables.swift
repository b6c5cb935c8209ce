/// The tables that a file has, with their columns.
struct PresentTables: Sendable {
    private var columns: [String: [String]] = [:]
    private var types: [String: [String: String]] = [:]

    /// The type that a column is declared with; nil without the column.
    func type(of column: String, in table: String) -> String? { types[table]?[column] }

    mutating func setType(_ type: String, of column: String, in table: String) {
        types[table, default: [:]][column] = type
    }

    subscript(table: String) -> [String]? {
        get { columns[table] }
        set { columns[table] = newValue }
    }

    /// The column of that name or, where there is none, of that name with a number behind it.
    func column(_ name: String, of table: String) -> String? {
        guard let names = columns[table] else { return nil }
        if names.contains(name) { return name }
        return names.first { candidate in
            candidate.hasPrefix(name) && candidate.utf8.dropFirst(name.utf8.count).allSatisfy { (48...57).contains($0) }
        }
    }
}
