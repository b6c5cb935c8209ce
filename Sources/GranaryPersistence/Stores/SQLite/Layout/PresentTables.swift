/// The tables that a file has, with their columns.
struct PresentTables: Sendable {
    private var columns: [String: [String]] = [:]

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
