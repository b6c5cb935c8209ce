import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Looks for the indexes that the model asks for. A missing one makes queries slow; without a unique one apps can store
/// a value twice.
struct IndexCheck {
    let checked: CheckedStore
    /// From this framework on a hierarchy has an index on `Z_ENT` (sqlite-layout §7).
    private static let firstWithEntityIndex: Int64 = 637

    func run(_ findings: inout StoreFindings) throws {
        let wanted = IndexSQL(schema: checked.schema, layout: checked.layout).wanted()
            .filter { checked.has($0.table, $0.columns) }
        let present = try PresentIndexes(checked.store.connection, tables: Set(wanted.map(\.table)))
        let isOld = checked.store.metadata.frameworkVersion.map { $0 < Self.firstWithEntityIndex } ?? false
        for index in wanted where !present.serves(index) {
            if isOld, index.columns == ["Z_ENT"] || isOneOfTwo(index, present) { continue }
            findings.add(
                .storeLayout,
                "the \(index.isUnique ? "unique index" : "index") \(index.name) on "
                    + "\(index.columns.joined(separator: ", ")) is missing",
                severity: .warning, table: index.table, column: index.columns.joined(separator: ","),
                advice: StoreAdvice.copyObjects)
        }
    }

    /// Older frameworks index the columns of a join table one by one (sqlite-layout §6.6).
    private func isOneOfTwo(_ index: IndexSQL.Wanted, _ present: PresentIndexes) -> Bool {
        checked.layout.joinTables.contains { $0.name == index.table }
            && (present.byTable[index.table] ?? []).contains { $0.columns.first == index.columns.first }
    }
}
