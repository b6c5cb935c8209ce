import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Compares a store's tables and columns with the layout of its model. Additional ones are allowed: migrations leave
/// them behind.
struct TableCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for table in checked.layout.tables {
            add(LayoutCheck.deviations(of: table, in: checked.present), to: &findings)
            if checked.has(table.name, ["Z_PK"]), !checked.isKeyed(table.name) {
                findings.add(
                    .storeLayout, "Z_PK is not the INTEGER PRIMARY KEY; the table's rows were not checked",
                    table: table.name, column: "Z_PK", advice: StoreAdvice.copyObjects)
                for problem in try KeyCheck.problems(of: table.name, checked.store.connection) {
                    findings.add(
                        StoreFinding(
                            diagnostic: problem, table: table.name, column: "Z_PK", advice: StoreAdvice.restore))
                }
            }
        }
        for table in checked.layout.joinTables {
            add(LayoutCheck.deviations(of: table, in: checked.present), to: &findings)
        }
        if !checked.isInferred { checkJoinNames(&findings) }
    }

    /// Compares the names of join tables and their columns with Core Data's, as far as its rules are known. Granary
    /// finds a join table by its columns, but Core Data by its name.
    private func checkJoinNames(_ findings: inout StoreFindings) {
        let expected = StoreLayoutBuilder.layout(for: checked.schema)
        for entity in checked.schema.entities {
            for relationship in entity.relationships where relationship.owner == entity.index {
                guard
                    case .join(let index, let owner, let destination, _)? = checked.layout.linkPlace(of: relationship),
                    case .join(let other, let first, let second, _)? = expected.linkPlace(of: relationship),
                    // Each table once.
                    expected.joinTables[other].firstColumn == first
                else { continue }
                let (found, wanted) = (checked.layout.joinTables[index].name, expected.joinTables[other].name)
                guard (found, owner, destination) != (wanted, first, second), checked.present[found] != nil,
                    !expected.unconfirmedJoinTables.contains(wanted)
                else { continue }
                findings.add(
                    .storeLayout,
                    "the join table is \(found) (\(owner), \(destination)); Core Data would look for \(wanted) "
                        + "(\(first), \(second)) and not find the links",
                    severity: .warning, entity: entity.name, property: relationship.name, table: found,
                    advice: StoreAdvice.copyObjects)
            }
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
