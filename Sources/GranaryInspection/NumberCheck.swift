import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks `Z_PRIMARYKEY`: the entities' numbers, names and parents, and the last keys that were assigned.
struct NumberCheck {
    let checked: CheckedStore
    /// The limit on the rows that are checked. The largest known model has about 300 entities.
    private static let rowLimit = 20_000

    func run(_ findings: inout StoreFindings) throws {
        guard checked.has("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]) else {
            findings.add(
                .storeLayout, "the table Z_PRIMARYKEY lacks columns that Core Data requires", table: "Z_PRIMARYKEY",
                advice: StoreAdvice.restore)
            return
        }
        // Names that are not UTF-8 belong to no entity.
        let numbers = (try? EntityNumbers(checked.store.connection))?.numbers(for: checked.schema.model) ?? [:]
        var seen: Set<Int64> = []
        let query = """
            SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX, typeof(Z_ENT), typeof(Z_MAX), typeof(Z_SUPER) FROM Z_PRIMARYKEY
            ORDER BY Z_ENT LIMIT \(Self.rowLimit)
            """
        try checked.each(query) { statement in
            let number = statement.integer(at: 0)
            guard statement.lossyText(at: 4) != "integer" || number < LayoutCheck.firstHistoryNumber else { return }
            if !seen.insert(number).inserted {
                findings.add(
                    .storeLayout, "Z_PRIMARYKEY has several rows for entity number \(number)", table: "Z_PRIMARYKEY",
                    key: number, column: "Z_ENT",
                    advice: StoreAdvice.restore)
                return
            }
            try check(statement, number, numbers, &findings)
        }
        for entity in checked.schema.entities where !seen.contains(Int64(entity.number)) {
            findings.add(
                .storeLayout, "Z_PRIMARYKEY has no row for it", entity: entity.name, table: "Z_PRIMARYKEY",
                key: Int64(entity.number), advice: StoreAdvice.restore)
        }
    }

    private func check(
        _ row: Statement, _ number: Int64, _ numbers: [String: Int], _ findings: inout StoreFindings
    ) throws {
        let name = row.lossyText(at: 1)
        guard number >= 1, number <= Int64(checked.schema.entities.count) else {
            findings.add(
                .storeLayout, "the store has it as entity number \(number), the model has no such number",
                entity: Diagnostic.shortened(name), table: "Z_PRIMARYKEY", key: number,
                advice: StoreAdvice.otherModel)
            return
        }
        let entity = checked.schema.entities[Int(number) - 1]
        if !EntityNumbers.isName(name, of: entity) {
            // A store with a former name can be opened.
            let isFormer = EntityNumbers.isFormerName(name, of: entity, in: checked.schema, numbers)
            findings.add(
                .storeLayout, "the store has it as entity number \(number), the model has \(entity.name) there",
                severity: isFormer ? .warning : .error, entity: Diagnostic.shortened(name), table: "Z_PRIMARYKEY",
                key: number, column: "Z_NAME",
                advice: StoreAdvice.otherModel)
        }
        let parent = Int64(entity.superentity.map { $0 + 1 } ?? 0)
        if row.integer(at: 2) != parent || row.lossyText(at: 6) != "integer" {
            findings.add(
                .storeLayout, "its parent (Z_SUPER) is \(row.integer(at: 2)) in the store, \(parent) in the model",
                entity: entity.name, table: "Z_PRIMARYKEY", key: number, column: "Z_SUPER",
                advice: StoreAdvice.otherModel)
        }
        try checkLastKey(row, number, entity, &findings)
    }

    private func checkLastKey(
        _ row: Statement, _ number: Int64, _ entity: Schema.Entity, _ findings: inout StoreFindings
    ) throws {
        let last = row.integer(at: 3)
        let isNumber = row.lossyText(at: 5) == "integer"
        guard entity.superentity == nil else {
            if last != 0 || !isNumber {
                findings.add(
                    .storeLayout, "Z_MAX of a subentity is not 0; only the root entity has one", severity: .warning,
                    entity: entity.name, table: "Z_PRIMARYKEY", key: number, column: "Z_MAX",
                    advice: StoreAdvice.copyObjects)
            }
            return
        }
        let highest = try lastKey(entity) ?? 0
        if !isNumber || last < 0 {
            findings.add(
                .storeCorrupt, "Z_MAX is not a key", entity: entity.name, table: "Z_PRIMARYKEY", key: number,
                column: "Z_MAX", advice: StoreAdvice.copyObjects)
        } else if last < highest {
            findings.add(
                .storeCorrupt,
                "Z_MAX \(last) is lower than the largest key \(highest); Core Data would assign used keys",
                entity: entity.name, table: "Z_PRIMARYKEY", key: number, column: "Z_MAX",
                advice: StoreAdvice.copyObjects)
        }
    }

    /// The largest key of a hierarchy; nil if the table has no rows or cannot be read.
    private func lastKey(_ entity: Schema.Entity) throws -> Int64? {
        guard let table = checked.rowTable(of: entity.index) else { return nil }
        return try checked.store.connection.integer("SELECT MAX(Z_PK) FROM \(SQL.quoteIdentifier(table))")
    }
}
