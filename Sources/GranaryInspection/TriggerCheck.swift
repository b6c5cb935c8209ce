import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranarySQLite

/// Looks for the triggers that keep derived attributes right. Without them their values go stale, and nobody says so.
struct TriggerCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        let present = Set(try checked.store.connection.schema().filter { $0.type == "trigger" }.map(\.name))
        for trigger in DerivedTriggerSQL(schema: checked.schema, layout: checked.layout).settled()
        where !present.contains(trigger.name) {
            findings.add(
                .storeLayout, "the trigger \(trigger.name), which keeps a derived attribute right, is missing",
                severity: .warning, table: trigger.table, advice: StoreAdvice.copyObjects)
        }
    }
}
