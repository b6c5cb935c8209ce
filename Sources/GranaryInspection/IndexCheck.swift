import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks that the indexes of the model exist. A missing one makes queries slow; without a unique one apps can store a
/// value twice.
struct IndexCheck {
    let checked: CheckedStore
    /// The first framework that creates an index on `Z_ENT` for a hierarchy (sqlite-layout §7).
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

/// Checks that the triggers of derived attributes exist. Without them values become outdated without an error.
struct TriggerCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        let present = Set(try checked.store.connection.schema().filter { $0.type == "trigger" }.map(\.name))
        for trigger in DerivedTriggerSQL(schema: checked.schema, layout: checked.layout).settled()
        where !present.contains(trigger.name) {
            findings.add(
                .storeLayout, "the trigger \(trigger.name), which updates a derived attribute, is missing",
                severity: .warning, table: trigger.table, advice: StoreAdvice.copyObjects)
        }
    }
}

/// The indexes of some tables, including those that SQLite creates for constraints.
struct PresentIndexes {
    struct Index: Hashable {
        let name: String
        let isUnique: Bool
        /// The columns' names; empty for an expression.
        let columns: [String]
    }

    private(set) var byTable: [String: [Index]] = [:]

    init(_ connection: Connection, tables: some Sequence<String>) throws {
        for table in tables {
            var found: [(name: String, isUnique: Bool)] = []
            let list = "SELECT name, \"unique\", partial FROM pragma_index_list(?) ORDER BY seq"
            try connection.withStatement(list) { statement in
                try statement.bind(table, at: 1)
                // A partial index does not contain all rows.
                while try statement.step() {
                    guard statement.integer(at: 2) == 0 else { continue }
                    found.append((statement.lossyText(at: 0), statement.integer(at: 1) != 0))
                }
            }
            byTable[table] = try found.map { index in
                let columns = try Self.columns(of: index.name, connection)
                return Index(name: index.name, isUnique: index.isUnique, columns: columns)
            }
        }
    }

    private static func columns(of index: String, _ connection: Connection) throws -> [String] {
        try connection.withStatement("SELECT name FROM pragma_index_info(?) ORDER BY seqno") { statement in
            try statement.bind(index, at: 1)
            var columns: [String] = []
            while try statement.step() { columns.append(statement.lossyText(at: 0)) }
            return columns
        }
    }

    /// Whether an index of any name serves the purpose of `wanted`: frameworks name indexes differently, and some
    /// create a constraint of the table instead.
    func serves(_ wanted: IndexSQL.Wanted) -> Bool {
        (byTable[wanted.table] ?? []).contains { index in
            wanted.isUnique
                ? index.isUnique && index.columns == wanted.columns : index.columns.starts(with: wanted.columns)
        }
    }
}
