import GranaryCoordination
package import GranarySQLite

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

/// What Core Data's names of columns and tables tell beside a property's name (sqlite-layout §4 to §6).
enum ColumnName {
    static let system: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    static let orderPrefix = "Z_FOK_"

    /// The number of an entity behind a prefix, and what stands behind it: `Z12_BOOK` is 12 and `_BOOK`. Nil where there
    /// is no number, or nothing else.
    static func numbered(_ prefix: String, _ name: String) -> (number: Int, rest: String)? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = name.utf8.dropFirst(prefix.utf8.count).prefix { (48...57).contains($0) }
        // No property begins with a digit, so all digits are the number's; one of a column has five at most.
        guard digits.first != 48, digits.count <= 5, let number = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        let rest = String(decoding: name.utf8.dropFirst(prefix.utf8.count + digits.count), as: UTF8.self)
        return rest.isEmpty ? nil : (number, rest)
    }

    /// What stands behind a prefix; nil where the name has another one, or nothing else.
    static func rest(_ prefix: String, _ name: String) -> String? {
        guard name.utf8.starts(with: prefix.utf8), name.utf8.count > prefix.utf8.count else { return nil }
        return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Whether a name is another one, or that with the digits that keep equal names apart.
    static func isEqual(_ name: String, upToDigits other: String) -> Bool {
        name.utf8.starts(with: other.utf8)
            && name.utf8.dropFirst(other.utf8.count).allSatisfy { (48...57).contains($0) }
    }
}

extension PresentTables {
    /// The ordinary tables of a file. Views and virtual tables, behind which anything may lie, are left out.
    package init(_ connection: Connection, _ objects: [SchemaObject]) throws {
        self.init()
        try connection.withStatement("SELECT name, type FROM pragma_table_info(?)") { statement in
            for object in objects where object.type == "table" && !object.isVirtual {
                statement.reset()
                try statement.bind(object.name, at: 1)
                var names: [String] = []
                while try statement.step() {
                    guard let name = try statement.string(at: 0) else { continue }
                    names.append(name)
                    setType(try statement.string(at: 1) ?? "", of: name, in: object.name)
                }
                self[object.name] = names
            }
        }
    }
}

extension SchemaObject {
    fileprivate var isVirtual: Bool {
        sql?.prefix(14).uppercased() == "CREATE VIRTUAL"
    }
}
