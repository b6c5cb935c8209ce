import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Compares a store's tables and columns with what its model asks for. More than that is allowed: migrations leave
/// things behind.
struct TableCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) {
        for table in checked.layout.tables {
            var columns: [(name: String, type: String?)] = [
                ("Z_PK", "INTEGER"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER"),
            ]
            for column in table.columns { columns.append((column.name, column.declaredType)) }
            check(table.name, columns, &findings)
            if checked.has(table.name, ["Z_PK"]), !checked.isKeyed(table.name) {
                findings.add(
                    .storeLayout, "Z_PK is not its INTEGER PRIMARY KEY; its rows were not looked into",
                    table: table.name, column: "Z_PK",
                    advice: StoreAdvice.copyObjects)
            }
        }
        for table in checked.layout.joinTables {
            // Frameworks of 2009 declare no types here (sqlite-layout §6.6).
            var columns: [(name: String, type: String?)] = []
            for name in [table.firstColumn, table.secondColumn] + table.orderColumns { columns.append((name, nil)) }
            check(table.name, columns, &findings)
        }
    }

    private func check(_ table: String, _ columns: [(name: String, type: String?)], _ findings: inout StoreFindings) {
        guard checked.present[table] != nil else {
            findings.add(
                .storeLayout, "the table \(table) is missing, with all its rows", table: table,
                advice: StoreAdvice.restore)
            return
        }
        for (column, type) in columns {
            guard let found = checked.present.type(of: column, in: table) else {
                findings.add(
                    .storeLayout, "the table \(table) has no column \(column)", table: table, column: column,
                    advice: StoreAdvice.restore)
                continue
            }
            guard let type, found.uppercased() != type else { continue }
            let shown = Diagnostic.shortened(found)
            if LayoutCheck.affinity(of: found) == LayoutCheck.affinity(of: type) {
                findings.add(
                    .storeLayout, "is declared \(shown), where Core Data says \(type)", severity: .warning,
                    table: table, column: column, advice: "none is needed: SQLite treats both types alike")
            } else {
                findings.add(
                    .storeLayout, "is declared \(shown), not \(type); SQLite changes what is written to it",
                    table: table, column: column,
                    advice: StoreAdvice.copyObjects)
            }
        }
    }
}
