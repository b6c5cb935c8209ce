import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Compares a store's tables and columns with the layout of its model. Additional ones are allowed: migrations leave
/// them behind.
struct TableCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) {
        for table in checked.layout.tables {
            add(LayoutCheck.deviations(of: table, in: checked.present), to: &findings)
            if checked.has(table.name, ["Z_PK"]), !checked.isKeyed(table.name) {
                findings.add(
                    .storeLayout, "Z_PK is not the INTEGER PRIMARY KEY; the table's rows were not checked",
                    table: table.name, column: "Z_PK", advice: StoreAdvice.copyObjects)
            }
        }
        for table in checked.layout.joinTables {
            add(LayoutCheck.deviations(of: table, in: checked.present), to: &findings)
        }
    }

    private func add(_ deviations: [LayoutCheck.Deviation], to findings: inout StoreFindings) {
        for deviation in deviations {
            let advice =
                switch deviation.kind {
                case .missing: StoreAdvice.restore
                case .type: "none is needed: SQLite treats both types alike"
                case .affinity: StoreAdvice.copyObjects
                }
            findings.add(
                StoreFinding(
                    diagnostic: deviation.diagnostic, table: deviation.table, column: deviation.column, advice: advice))
        }
    }
}
