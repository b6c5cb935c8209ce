import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks that the indexes of the model exist. A missing one makes queries slow; without a unique one apps can store a
/// value twice.
struct IndexCheck {
    let checked: CheckedStore
    /// The first framework that creates an index on `Z_ENT` for a hierarchy (docs/core-data/sqlite-layout.md#indexes).
    private static let firstWithEntityIndex: Int64 = 637
    /// The first framework that creates indexes with the order keys of a join table
    /// (docs/core-data/sqlite-layout.md#order-key-indexes).
    private static let firstWithOrderIndexes: Int64 = 1509

    func run(_ findings: inout StoreFindings) throws {
        let wanted = IndexSQL(schema: checked.schema, layout: checked.layout).wanted()
            .filter { checked.has($0.table, $0.columns) }
        let present = try PresentIndexes(checked.store.connection, tables: Set(wanted.map(\.table)))
        let version = checked.store.metadata.frameworkVersion ?? .max
        let isOld = version < Self.firstWithEntityIndex
        for index in wanted where !present.serves(index) {
            if index.hasOrderKey, version < Self.firstWithOrderIndexes { continue }
            if isOld, index.columns == ["Z_ENT"] || isOneOfTwo(index, present) { continue }
            findings.add(
                .storeLayout,
                "the \(index.isUnique ? "unique index" : "index") \(index.name) on "
                    + "\(index.columns.joined(separator: ", ")) is missing",
                severity: .warning, table: index.table, column: index.columns.joined(separator: ","),
                advice: StoreAdvice.copyObjects)
        }
    }

    /// Older frameworks index the columns of a join table one by one
    /// (docs/core-data/sqlite-layout.md#join-tables-of-old-frameworks).
    private func isOneOfTwo(_ index: IndexSQL.Wanted, _ present: PresentIndexes) -> Bool {
        checked.layout.joinTables.contains { $0.name == index.table }
            && (present.byTable[index.table] ?? []).contains { $0.columns.first == index.columns.first }
    }
}
