import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks the persistent history (docs/core-data/sqlite-layout.md#persistent-history). It may be older than the model,
/// so an unknown entity is only a warning.
struct HistoryCheck {
    let checked: CheckedStore
    /// The entities of the history have numbers from 16001 on, those of CloudKit from 17001 on.
    private static let lastInternalNumber: Int64 = 17_999

    func run(_ findings: inout StoreFindings) throws {
        guard HistoryTables.arePresent(checked.present) else { return }
        let problems = HistoryTables.readingProblems(checked.present)
        for problem in problems {
            var problem = problem
            problem.severity = .warning
            findings.add(StoreFinding(diagnostic: problem, advice: StoreAdvice.copyObjects))
        }
        // Older frameworks have no table of strings.
        let tables = HistoryTables.all.filter { checked.present[$0.name] != nil }
        guard problems.isEmpty, tables.allSatisfy({ checked.isKeyed($0.name) }) else { return }
        try checkChanges(&findings)
        try checkStrings(&findings)
        try checkTimes(&findings)
        for table in tables { try checkLastKey(table, &findings) }
    }

    private func checkChanges(_ findings: inout StoreFindings) throws {
        let count = checked.schema.entities.count
        let query = """
            SELECT c.Z_PK, c.ZTRANSACTIONID, c.ZENTITY, c.ZCHANGETYPE, typeof(c.ZENTITYPK),
            EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID) AS known FROM ACHANGE c
            WHERE NOT known OR c.ZENTITY IS NULL OR c.ZENTITY NOT BETWEEN 1 AND \(count)
            AND NOT (c.ZENTITY BETWEEN \(LayoutCheck.firstHistoryNumber) AND \(Self.lastInternalNumber))
            OR c.ZCHANGETYPE IS NULL OR c.ZCHANGETYPE NOT IN (0, 1, 2) OR typeof(c.ZENTITYPK) <> 'integer'
            ORDER BY c.Z_PK
            """
        try checked.each(query) { row in
            let key = row.integer(at: 0)
            if row.integer(at: 5) == 0 {
                findings.add(
                    .storeCorrupt,
                    "the change \(key) belongs to transaction \(row.integer(at: 1)), which does not exist",
                    // The history can be deleted up to an existing transaction only. An export has none.
                    table: "ACHANGE", key: key, column: "ZTRANSACTIONID", advice: StoreAdvice.copyObjects)
            }
            let entity = row.integer(at: 2)
            let isInternal = (Int64(LayoutCheck.firstHistoryNumber)...Self.lastInternalNumber).contains(entity)
            if row.isNull(at: 2) || !isInternal && (entity < 1 || entity > Int64(count)) {
                findings.add(
                    .storeCorrupt,
                    "the change \(key) belongs to entity number \(entity), which the model does not have",
                    severity: .warning, table: "ACHANGE", key: key, column: "ZENTITY", advice: StoreAdvice.deleteHistory
                )
            }
            let kind = row.integer(at: 3)
            if row.isNull(at: 3) || !(0...2).contains(kind) {
                findings.add(
                    .storeCorrupt,
                    "the change \(key) has the type \(kind), which is not an insertion, update or deletion",
                    severity: .warning, table: "ACHANGE", key: key, column: "ZCHANGETYPE",
                    advice: StoreAdvice.deleteHistory)
            }
            if row.lossyText(at: 4) != "integer" {
                findings.add(
                    .storeCorrupt, "the change \(key) has no valid object key", severity: .warning, table: "ACHANGE",
                    key: key, column: "ZENTITYPK", advice: StoreAdvice.deleteHistory)
            }
        }
    }

    private func checkStrings(_ findings: inout StoreFindings) throws {
        guard checked.has("ATRANSACTIONSTRING", ["Z_PK", "ZNAME"]) else { return }
        for column in ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
        where checked.has("ATRANSACTION", [column]) {
            let query = """
                SELECT t.Z_PK, t.\(column) FROM ATRANSACTION t WHERE t.\(column) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)) ORDER BY t.Z_PK
                """
            try checked.each(query) { row in
                let key = row.integer(at: 0)
                findings.add(
                    .storeCorrupt,
                    "the transaction \(key) refers to the text \(row.integer(at: 1)), which does not exist",
                    severity: .warning, table: "ATRANSACTION", key: key, column: column,
                    advice: StoreAdvice.deleteHistory)
            }
        }
    }

    private func checkTimes(_ findings: inout StoreFindings) throws {
        let query = """
            SELECT Z_PK, typeof(ZTIMESTAMP) FROM ATRANSACTION WHERE typeof(ZTIMESTAMP) IN ('text', 'blob') ORDER BY Z_PK
            """
        try checked.each(query) { row in
            let key = row.integer(at: 0)
            findings.add(
                .storeCorrupt, "the time of the transaction \(key) is a \(row.lossyText(at: 1))", severity: .warning,
                table: "ATRANSACTION", key: key, column: "ZTIMESTAMP",
                advice: StoreAdvice.deleteHistory)
        }
    }

    /// Checks the largest key of a table against `Z_PRIMARYKEY`, which need not have rows for an empty history.
    private func checkLastKey(_ table: HistoryTables.Table, _ findings: inout StoreFindings) throws {
        guard checked.has("Z_PRIMARYKEY", ["Z_ENT", "Z_MAX"]),
            let highest = try checked.store.connection.integer("SELECT MAX(Z_PK) FROM \(table.name)")
        else { return }
        let last = try checked.store.connection.integer(
            "SELECT MAX(CAST(Z_MAX AS INTEGER)) FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.number)")
        guard let last else {
            findings.add(
                .storeLayout, "Z_PRIMARYKEY has no row for \(table.entity) of the persistent history",
                table: "Z_PRIMARYKEY", key: table.number, column: "Z_MAX",
                advice: StoreAdvice.copyObjects)
            return
        }
        if last < highest {
            findings.add(
                .storeCorrupt,
                "Z_MAX \(last) of the history's \(table.entity) is lower than the largest key \(highest)",
                table: "Z_PRIMARYKEY", key: table.number, column: "Z_MAX",
                advice: StoreAdvice.copyObjects)
        }
    }
}
