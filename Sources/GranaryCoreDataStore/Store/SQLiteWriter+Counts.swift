import GranaryCoordination
import GranarySQLite

/// Drops the triggers of attributes with a trigger key while an export is restored or a store is copied, and creates them
/// again: with them, each inserted row would change the values. A transaction that is rolled back restores them.
extension SQLiteWriter {
    func suspendCounts(includingTimes: Bool) throws {
        var names = Set(TriggerKeySQL(schema: store.schema, layout: store.layout).triggers.map(\.name))
        if includingTimes {
            names.formUnion(DerivedTriggerSQL(schema: store.schema, layout: store.layout).timeTriggers())
        }
        guard !names.isEmpty else { return }
        for trigger in try connection.schema() where trigger.type == "trigger" && names.contains(trigger.name) {
            guard let sql = trigger.sql else { continue }
            try connection.execute("DROP TRIGGER \(SQL.quoteIdentifier(trigger.name))")
            droppedTriggers.append(sql)
        }
    }

    func resumeCounts() throws {
        let statements = droppedTriggers
        droppedTriggers = []
        for statement in statements { try connection.execute(statement) }
    }
}
