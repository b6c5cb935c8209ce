import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks that the triggers of derived attributes, trigger keys and R-trees exist. Without them values become outdated
/// without an error.
struct TriggerCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        let objects = try checked.store.connection.schema()
        let present = Set(objects.filter { $0.type == "trigger" }.map(\.name))
        checkTrees(Set(objects.filter(\.isRTree).map(\.name)), triggers: present, &findings)
        for trigger in DerivedTriggerSQL(schema: checked.schema, layout: checked.layout).confirmed()
        where !present.contains(trigger.name) {
            findings.add(
                .storeLayout, "the trigger \(trigger.name), which updates a derived attribute, is missing",
                severity: .warning, table: trigger.table, advice: StoreAdvice.copyObjects)
        }
        for trigger in TriggerKeySQL(schema: checked.schema, layout: checked.layout).triggers
        where !present.contains(trigger.name) && checked.has(trigger.table, ["Z_PK"]) {
            findings.add(
                .storeLayout,
                "the trigger \(trigger.name), which updates an attribute with a trigger key (\(TriggerKeySQL.key)), is "
                    + "missing",
                severity: .warning, table: trigger.table, advice: StoreAdvice.copyObjects)
        }
    }

    /// Checks the R-trees. A migration can leave one without its triggers (frameworks 1403 to 1522), which is no
    /// damage; `store info` says so.
    private func checkTrees(_ trees: Set<String>, triggers: Set<String>, _ findings: inout StoreFindings) {
        for tree in LocationTreeSQL(schema: checked.schema, layout: checked.layout).trees
        where checked.has(tree.table, ["Z_PK"]) {
            guard trees.contains(tree.name) else {
                let isLeft = tree.triggers.contains { triggers.contains($0.name) }
                let effect = isLeft ? ", but its triggers exist: no row can be written" : ""
                findings.add(
                    .storeLayout, "the R-tree \(tree.name) is missing\(effect)",
                    severity: .warning, table: tree.table, advice: StoreAdvice.copyObjects)
                continue
            }
            let missing = tree.triggers.filter { !triggers.contains($0.name) }
            guard missing.count < tree.triggers.count else { continue }
            for trigger in missing {
                findings.add(
                    .storeLayout, "the trigger \(trigger.name), which updates an R-tree, is missing",
                    severity: .warning, table: tree.table, advice: StoreAdvice.copyObjects)
            }
        }
    }
}
