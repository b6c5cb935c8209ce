import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Compares a store's tables with what its model asks for. More than that is allowed: migrations leave things behind.
package struct LayoutCheck {
    let connection: Connection
    let schema: Schema
    let layout: StoreLayout
    let present: PresentTables

    func problems() throws -> [Diagnostic] {
        var found = try entityNumberProblems()
        let wanted =
            layout.tables.map { ($0.name, ["Z_PK", "Z_ENT", "Z_OPT"] + $0.columns.map(\.name)) }
            + layout.joinTables.map { ($0.name, [$0.firstColumn, $0.secondColumn] + $0.orderColumns) }
        for (table, columns) in wanted {
            guard let names = present[table] else {
                found.append(Diagnostic(.storeLayout, "the table \(table) is missing"))
                continue
            }
            let known = Set(names)
            for column in columns where !known.contains(column) {
                found.append(Diagnostic(.storeLayout, "the table \(table) has no column \(column)"))
            }
        }
        return found
    }

    /// Columns whose type makes SQLite change what is written: text `007` becomes the number 7 in an INTEGER column.
    func affinityProblems() -> [Diagnostic] {
        var found: [Diagnostic] = []
        for table in layout.tables {
            let wanted =
                [("Z_PK", "INTEGER"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")]
                + table.columns.map { ($0.name, $0.declaredType) }
            for (column, type) in wanted {
                guard let present = present.type(of: column, in: table.name),
                    Self.affinity(of: present) != Self.affinity(of: type)
                else { continue }
                found.append(
                    Diagnostic(
                        .storeLayout,
                        "the column \(table.name).\(column) is declared \(Diagnostic.shortened(present)), "
                            + "not \(type); SQLite would change what is written to it"))
            }
        }
        return found
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

    /// From this number on entities are Core Data's own, for persistent history.
    package static let firstHistoryNumber = 16_001

    /// The numbers in `Z_PRIMARYKEY` are part of column and table names, so they must be the model's.
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
