import GranaryCoordination
package import GranarySQLite

/// The tables of a file with their columns.
package struct PresentTables: Sendable {
    private var columns: [String: [String]] = [:]
    private var types: [String: [String: String]] = [:]

    package init() {}

    /// The declared type of a column; nil if the column does not exist.
    package func type(of column: String, in table: String) -> String? { types[table]?[column] }

    mutating func setType(_ type: String, of column: String, in table: String) {
        types[table, default: [:]][column] = type
    }

    package subscript(table: String) -> [String]? {
        get { columns[table] }
        set { columns[table] = newValue }
    }

    /// The column with a name or, if there is none, with the name and a number after it.
    ///
    /// - Parameter other: a column that belongs to another relationship.
    func column(_ name: String, of table: String, besides other: String? = nil) -> String? {
        guard let names = columns[table] else { return nil }
        if name != other, names.contains(name) { return name }
        return names.first { $0 != other && ColumnName.isEqual($0, upToDigits: name) }
    }

    /// Different columns for two names. `Z_1FRIENDS2` may be a name, or `Z_1FRIENDS` with a number.
    func columns(_ first: String, _ second: String, of table: String) -> (first: String?, second: String?) {
        if first == second {
            // The names differ only by a digit: the naming entity's column comes first
            // (docs/core-data/sqlite-layout.md#columns-of-a-join-table).
            let both = (columns[table] ?? []).filter { ColumnName.isEqual($0, upToDigits: first) }
            return (both.first, both.count > 1 ? both[1] : nil)
        }
        if columns[table]?.contains(second) == true {
            return (column(first, of: table, besides: second), second)
        }
        let found = column(first, of: table)
        return (found, column(second, of: table, besides: found))
    }

    /// The names of two key columns without digits at their ends.
    struct JoinKey: Hashable {
        private let first: String
        private let second: String

        init(_ left: String, _ right: String) {
            let names = [left, right].map { String($0.reversed().drop { $0.isASCII && $0.isNumber }.reversed()) }
                .sorted()
            (first, second) = (names[0], names[1])
        }
    }

    /// The tables with two key columns, with the form of a join table's name.
    func joinTables() -> [JoinKey: [String]] {
        var found: [JoinKey: [String]] = [:]
        for (table, columns) in columns where ColumnName.isJoinTable(table) {
            let keys = columns.filter { !$0.hasPrefix(ColumnName.orderPrefix) }
            if keys.count == 2 { found[JoinKey(keys[0], keys[1]), default: []].append(table) }
        }
        return found
    }

    /// The name of a column, or the other name if the table has only that.
    func column(_ name: String, or other: String, of table: String) -> String {
        guard let names = columns[table], !names.contains(name), names.contains(other) else { return name }
        return other
    }
}

extension PresentTables {
    /// Reads the ordinary tables of a file. Views and virtual tables are left out: reading them may run any code. So
    /// are the tables in which an R-tree keeps its nodes: they belong to no entity.
    package init(_ connection: Connection, _ objects: [SchemaObject]) throws {
        self.init()
        let shadows = Self.shadowTables(objects)
        try connection.withStatement("SELECT name, type FROM pragma_table_info(?)") { statement in
            for object in objects where object.type == "table" && !object.isVirtual && !shadows.contains(object.name) {
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

extension PresentTables {
    /// The ends of the names of an R-tree's own tables (https://www.sqlite.org/rtree.html, section 6).
    static let shadowSuffixes = ["_rowid", "_node", "_parent"]

    /// The names of the tables in which the R-trees of a file keep their nodes.
    package static func shadowTables(_ objects: [SchemaObject]) -> Set<String> {
        let trees = objects.filter { $0.type == "table" && $0.isRTree }.map(\.name)
        return Set(trees.flatMap { tree in shadowSuffixes.map { tree + $0 } })
    }
}

extension SchemaObject {
    var isVirtual: Bool {
        sql?.prefix(14).uppercased() == "CREATE VIRTUAL"
    }

    /// Whether the object is an R-tree.
    package var isRTree: Bool {
        isVirtual && sql?.uppercased().contains(" USING RTREE") == true
    }

    /// The statement in one spelling: without quotation marks, which old stores have, and with single blanks.
    package var plainSQL: String { (sql ?? "").plainSQL }
}

extension String {
    /// An SQL statement without quotation marks of names and with single blanks.
    package var plainSQL: String {
        replacing("\"", with: "").split { $0.isASCII && $0.isWhitespace }.joined(separator: " ")
    }
}
