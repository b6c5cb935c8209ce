package import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Compares a store's tables with the layout of its model. Additional tables and columns are allowed: migrations leave
/// them behind.
package struct LayoutCheck {
    let connection: Connection
    let schema: Schema
    let layout: StoreLayout
    let present: PresentTables

    /// A table or column that differs from the layout.
    package struct Deviation: Sendable {
        package enum Kind: Sendable {
            /// The table or column is missing.
            case missing
            /// The column has another type, which SQLite treats like the layout's.
            case type
            /// The column has a type for which SQLite changes values: text `007` becomes 7 in an INTEGER column.
            case affinity
        }

        package let kind: Kind
        package let table: String
        /// Nil if the table is missing.
        package let column: String?
        package let diagnostic: Diagnostic
    }

    func problems() throws -> [Diagnostic] {
        try entityNumberProblems() + deviations.filter { $0.kind == .missing }.map(\.diagnostic)
    }

    /// Rows whose primary keys no object ID can have.
    func keyProblems() throws -> [Diagnostic] {
        let keyed = try KeyCheck.keyedTables(layout.tables.map(\.name), connection)
        return try layout.tables.filter { !keyed.contains($0.name) }
            .flatMap { try KeyCheck.problems(of: $0.name, connection) }
    }

    /// Columns in which SQLite would change values.
    func affinityProblems() -> [Diagnostic] { deviations.filter { $0.kind == .affinity }.map(\.diagnostic) }

    private var deviations: [Deviation] {
        layout.tables.flatMap { Self.deviations(of: $0, in: present) }
            + layout.joinTables.flatMap { Self.deviations(of: $0, in: present) }
    }

    package static func deviations(of table: EntityTable, in present: PresentTables) -> [Deviation] {
        var columns: [(name: String, type: String?)] = ["Z_PK", "Z_ENT", "Z_OPT"].map { ($0, "INTEGER") }
        for column in table.columns { columns.append((column.name, column.declaredType)) }
        return deviations(table.name, columns, present)
    }

    /// Frameworks of 2009 declare no types in join tables
    /// (docs/core-data/sqlite-layout.md#join-tables-of-old-frameworks).
    package static func deviations(of table: JoinTable, in present: PresentTables) -> [Deviation] {
        let names = [table.firstColumn, table.secondColumn] + table.orderColumns
        return deviations(table.name, names.map { ($0, nil) }, present)
    }

    private static func deviations(
        _ table: String, _ columns: [(name: String, type: String?)], _ present: PresentTables
    ) -> [Deviation] {
        func deviation(
            _ kind: Deviation.Kind, _ message: String, column: String? = nil, severity: Diagnostic.Severity = .error
        ) -> Deviation {
            Deviation(
                kind: kind, table: table, column: column,
                diagnostic: Diagnostic(.storeLayout, message, severity: severity))
        }
        guard present[table] != nil else { return [deviation(.missing, "the table \(table) is missing")] }
        return columns.compactMap { column, type in
            guard let found = present.type(of: column, in: table) else {
                return deviation(.missing, "the table \(table) has no column \(column)", column: column)
            }
            guard let type, found.uppercased() != type else { return nil }
            let declared = found.isEmpty ? "without a type" : Diagnostic.shortened(found)
            let text = "the column \(table).\(column) is declared \(declared), not \(type)"
            return affinity(of: found) == affinity(of: type)
                ? deviation(.type, text, column: column, severity: .warning)
                : deviation(.affinity, text + "; SQLite would change values that are written to it", column: column)
        }
    }

    /// SQLite's rules (https://www.sqlite.org/datatype3.html, section 3.1).
    package static func affinity(of type: String) -> String {
        let type = type.uppercased()
        if type.contains("INT") { return "INTEGER" }
        if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") { return "TEXT" }
        if type.contains("BLOB") || type.isEmpty { return "BLOB" }
        if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return "REAL" }
        return "NUMERIC"
    }

    /// The first of the entity numbers that Core Data uses for persistent history.
    package static let firstHistoryNumber = 16_001

    /// Checks that the numbers in `Z_PRIMARYKEY` are the model's, since they are part of column and table names.
    private func entityNumberProblems() throws -> [Diagnostic] {
        let query = "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < \(Self.firstHistoryNumber) ORDER BY Z_ENT"
        let numbers = try EntityNumbers(connection).numbers(for: schema.model)
        return try connection.withStatement(query) { statement in
            var found: [Diagnostic] = []
            var seen: Set<Int64> = []
            while try statement.step() {
                let number = statement.integer(at: 0)
                let name = try statement.string(at: 1) ?? ""
                if !seen.insert(number).inserted {
                    found.append(
                        Diagnostic(.storeLayout, "Z_PRIMARYKEY has several rows for entity number \(number)"))
                }
                let entity = entity(number)
                if let entity,
                    EntityNumbers.isName(name, of: entity)
                        || EntityNumbers.isFormerName(name, of: entity, in: schema, numbers)
                {
                    continue
                }
                let inModel = entity.map { "\($0.name) there" } ?? "no such number"
                found.append(
                    Diagnostic(
                        .storeLayout, "the store has it as entity number \(number), the model has \(inModel)",
                        entity: Diagnostic.shortened(name)))
                // A hostile table may have any number of rows.
                if found.count > schema.entities.count + 100 { break }
            }
            for entity in schema.entities where !seen.contains(Int64(entity.number)) {
                found.append(Diagnostic(.storeLayout, "Z_PRIMARYKEY has no row for it", entity: entity.name))
            }
            return found
        }
    }

    private func entity(_ number: Int64) -> Schema.Entity? {
        number >= 1 && number <= Int64(schema.entities.count) ? schema.entities[Int(number) - 1] : nil
    }
}
