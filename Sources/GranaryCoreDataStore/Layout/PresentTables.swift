import GranaryCoordination

/// The tables that a file has, with their columns.
package struct PresentTables: Sendable {
    private var columns: [String: [String]] = [:]
    private var types: [String: [String: String]] = [:]

    package init() {}

    /// The type that a column is declared with; nil without the column.
    package func type(of column: String, in table: String) -> String? { types[table]?[column] }

    mutating func setType(_ type: String, of column: String, in table: String) {
        types[table, default: [:]][column] = type
    }

    package subscript(table: String) -> [String]? {
        get { columns[table] }
        set { columns[table] = newValue }
    }

    /// The column of that name or, where there is none, of that name with a number behind it.
    ///
    /// - Parameter other: a column that is somebody else's.
    func column(_ name: String, of table: String, besides other: String? = nil) -> String? {
        guard let names = columns[table] else { return nil }
        if name != other, names.contains(name) { return name }
        return names.first { $0 != other && ColumnName.isEqual($0, upToDigits: name) }
    }

    /// The columns of two names, never one for both: `Z_1FRIENDS2` may be a name, or `Z_1FRIENDS` with a number.
    func columns(_ first: String, _ second: String, of table: String) -> (first: String?, second: String?) {
        if first == second {
            // Equal but for a digit: the naming entity's column comes first (sqlite-layout §6.2).
            let both = (columns[table] ?? []).filter { ColumnName.isEqual($0, upToDigits: first) }
            return (both.first, both.count > 1 ? both[1] : nil)
        }
        if columns[table]?.contains(second) == true {
            return (column(first, of: table, besides: second), second)
        }
        let found = column(first, of: table)
        return (found, column(second, of: table, besides: found))
    }

    /// A column's name, or the other one where the table has only that.
    func column(_ name: String, or other: String, of table: String) -> String {
        guard let names = columns[table], !names.contains(name), names.contains(other) else { return name }
        return other
    }
}
