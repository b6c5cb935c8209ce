import GranaryBase
import GranaryCoordination
import GranarySQLite

extension ModelInference {
    /// The columns of a table that have a non-unique index on that column only. Core Data creates such an index for
    /// each to-one relationship.
    func indexedColumns(of table: String) throws -> Set<String> {
        let sql = """
            SELECT l.name, i.name FROM pragma_index_list(?) AS l JOIN pragma_index_info(l.name) AS i
            WHERE l."unique" = 0 AND l.partial = 0
            """
        return try connection.withStatement(sql) { statement in
            try statement.bind(table, at: 1)
            var columns: [String: [String]] = [:]
            while try statement.step() {
                // An indexed expression has no name. No column has an empty name.
                columns[try statement.string(at: 0) ?? "", default: []].append(try statement.string(at: 1) ?? "")
            }
            return Set(columns.values.filter { $0.count == 1 }.compactMap(\.first))
        }
    }

    /// The destination entity of a column; nil if it is not certain.
    ///
    /// - Parameter entityNumber: the number in the column `Z<n>_NAME`, if the table has one.
    mutating func destination(
        of column: String, in table: Table, entityNumber: Int?, isIndexed: Bool
    ) throws -> Int? {
        guard present.type(of: column, in: table.name)?.uppercased() == "INTEGER" else { return nil }
        if let entityNumber {
            // Core Data creates such a column only if the destination has subentities.
            guard let destination = entity(entityNumber), hasSubentities(destination) else { return nil }
            return destination
        }
        guard isIndexed, let found = try target(of: column, in: table) else { return nil }
        return try concreteDestination(of: column, in: table, among: found)
    }

    /// The table that an indexed column refers to; nil if it is not certain.
    private mutating func target(of column: String, in table: Table) throws -> Table? {
        if let range = try range(of: column, in: table.name) {
            if let named = tablesByName[column], try isReference(column, table, range, to: named) { return named }
            if let found = try onlyTable(for: column, in: table, range) { return found }
        }
        return toleratesDanglingKeys ? try mostlyReferenced(by: column, in: table) : nil
    }

    /// The table with the column's name, or the only table whose name ends with it; nil unless more than half of the
    /// values are keys of that table.
    private mutating func mostlyReferenced(by column: String, in table: Table) throws -> Table? {
        let upper = ColumnName.rest("Z", column) ?? column
        let alike = tables.filter { $0.root != table.root && $0.name.hasSuffix(upper) }
        guard let target = tablesByName[column] ?? (alike.count == 1 ? alike.first : nil) else { return nil }
        let rows = try rowCount(table.name)
        guard rows <= comparisons else { return nil }
        comparisons -= max(rows, 1000)
        let value = "t.\(SQL.quoteIdentifier(column))"
        let sql = """
            SELECT SUM(\(value) IN (SELECT Z_PK FROM \(SQL.quoteIdentifier(target.name)))) * 2 > COUNT(*)
            FROM \(SQL.quoteIdentifier(table.name)) AS t WHERE \(value) IS NOT NULL
            """
        return try connection.integer(sql) == 1 ? target : nil
    }

    /// The only table whose keys include all values of a column: among the tables whose names end with the column's
    /// name or, if there is none, among the others.
    private mutating func onlyTable(
        for column: String, in table: Table, _ range: ClosedRange<Int64>
    ) throws -> Table? {
        let upper = ColumnName.rest("Z", column) ?? column
        guard comparisons > 0 else { return nil }
        comparisons -= Int64(tables.count)
        let (alike, others) = (tables.filter { $0.name.hasSuffix(upper) }, tables.filter { !$0.name.hasSuffix(upper) })
        for group in [alike, others] {
            var found: [Table] = []
            for candidate in group where candidate.name != column {
                if try isReference(column, table, range, to: candidate) { found.append(candidate) }
                if found.count > 1 { return nil }
            }
            if let first = found.first {
                // Small numbers are often keys of the column's own table by chance.
                return first.root == table.root ? nil : first
            }
        }
        return nil
    }

    /// The least and the largest value of a column; nil if it has no values or the largest is not an integer.
    private func range(of column: String, in table: String) throws -> ClosedRange<Int64>? {
        let column = SQL.quoteIdentifier(column)
        let table = SQL.quoteIdentifier(table)
        // Two statements: each takes one step in the index.
        guard try connection.text("SELECT typeof(MAX(\(column))) FROM \(table)") == "integer",
            let least = try connection.integer("SELECT MIN(\(column)) FROM \(table)"),
            let most = try connection.integer("SELECT MAX(\(column)) FROM \(table)"), least <= most
        else { return nil }
        return least...most
    }

    /// Whether every value of a column is a key of a table.
    private mutating func isReference(
        _ column: String, _ table: Table, _ range: ClosedRange<Int64>, to target: Table
    ) throws -> Bool {
        guard let keyRange = try keyRange(of: target.name), keyRange.lowerBound <= range.lowerBound,
            keyRange.upperBound >= range.upperBound
        else { return false }
        let rows = try rowCount(table.name)
        guard rows <= comparisons else {
            if comparisons > 0 { warn("the tables are too large to find out which columns are relationships") }
            comparisons = 0
            return false
        }
        // Every comparison takes some time, even for an empty table.
        comparisons -= max(rows, 1000)
        let value = "t.\(SQL.quoteIdentifier(column))"
        let sql = """
            SELECT 1 FROM \(SQL.quoteIdentifier(table.name)) AS t WHERE \(value) IS NOT NULL
            AND (typeof(\(value)) <> 'integer' OR \(value) NOT IN
            (SELECT Z_PK FROM \(SQL.quoteIdentifier(target.name)))) LIMIT 1
            """
        return try connection.integer(sql) == nil
    }

    /// The destination entity in a table. The column has no companion with entity numbers, so the destination has no
    /// subentities. In a hierarchy it is the entity of all referenced rows, or nil if they have several.
    private func concreteDestination(of column: String, in table: Table, among target: Table) throws -> Int? {
        guard hasSubentities(target.root) else { return target.root }
        let sql = """
            SELECT DISTINCT Z_ENT FROM \(SQL.quoteIdentifier(target.name)) WHERE Z_PK IN
            (SELECT t.\(SQL.quoteIdentifier(column)) FROM \(SQL.quoteIdentifier(table.name)) AS t) LIMIT 2
            """
        let found = try connection.withStatement(sql) { statement in
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
        guard found.count == 1, let number = found.first, let destination = entity(Int(clamping: number)),
            roots[destination] == target.root, !hasSubentities(destination)
        else { return nil }
        return destination
    }

    /// The least and the largest key of a table; nil if it has no rows.
    private mutating func keyRange(of table: String) throws -> ClosedRange<Int64>? {
        if let known = keyRanges[table] { return known }
        let name = SQL.quoteIdentifier(table)
        var range: ClosedRange<Int64>?
        if let least = try connection.integer("SELECT MIN(Z_PK) FROM \(name)"),
            let most = try connection.integer("SELECT MAX(Z_PK) FROM \(name)"), least <= most
        {
            range = least...most
        }
        keyRanges[table] = .some(range)
        return range
    }

    private mutating func rowCount(_ table: String) throws -> Int64 {
        if let count = rowCounts[table] { return count }
        let count = try connection.integer("SELECT COUNT(*) FROM \(SQL.quoteIdentifier(table))") ?? 0
        rowCounts[table] = count
        return count
    }
}
