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
    /// The first framework that creates indexes with the order keys of a join table (fetch-indexes §5).
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

    /// Older frameworks index the columns of a join table one by one (sqlite-layout §6.8).
    private func isOneOfTwo(_ index: IndexSQL.Wanted, _ present: PresentIndexes) -> Bool {
        checked.layout.joinTables.contains { $0.name == index.table }
            && (present.byTable[index.table] ?? []).contains { $0.columns.first == index.columns.first }
    }
}

/// Checks that the triggers of derived attributes, trigger keys and R-trees exist. Without them values become outdated
/// without an error.
struct TriggerCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        let objects = try checked.store.connection.schema()
        let present = Set(objects.filter { $0.type == "trigger" }.map(\.name))
        checkTrees(Set(objects.filter(\.isRTree).map(\.name)), triggers: present, &findings)
        for trigger in DerivedTriggerSQL(schema: checked.schema, layout: checked.layout).settled()
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

/// The indexes of some tables, including those that SQLite creates for constraints.
struct PresentIndexes {
    struct Index: Hashable {
        let name: String
        let isUnique: Bool
        /// The columns' names; `Z_PK` for the rowid, empty for an expression.
        let columns: [String]
        /// The condition of a partial index, which does not contain all rows.
        let condition: String?
    }

    private(set) var byTable: [String: [Index]] = [:]

    init(_ connection: Connection, tables: some Sequence<String>) throws {
        let conditions = try Self.conditions(connection)
        for table in tables {
            var found: [(name: String, isUnique: Bool, isPartial: Bool)] = []
            let list = "SELECT name, \"unique\", partial FROM pragma_index_list(?) ORDER BY seq"
            try connection.withStatement(list) { statement in
                try statement.bind(table, at: 1)
                while try statement.step() {
                    found.append(
                        (statement.lossyText(at: 0), statement.integer(at: 1) != 0, statement.integer(at: 2) != 0))
                }
            }
            byTable[table] = try found.map { index in
                let columns = try Self.columns(of: index.name, connection)
                let condition = index.isPartial ? conditions[index.name] ?? "" : nil
                return Index(name: index.name, isUnique: index.isUnique, columns: columns, condition: condition)
            }
        }
    }

    /// The conditions of partial indexes by name.
    private static func conditions(_ connection: Connection) throws -> [String: String] {
        var conditions: [String: String] = [:]
        for object in try connection.schema() where object.type == "index" {
            let sql = object.plainSQL
            guard let place = sql.firstRange(of: ") WHERE ") else { continue }
            conditions[object.name] = String(sql[place.upperBound...])
        }
        return conditions
    }

    private static func columns(of index: String, _ connection: Connection) throws -> [String] {
        try connection.withStatement(
            "SELECT CASE cid WHEN -1 THEN 'Z_PK' ELSE name END FROM pragma_index_info(?) ORDER BY seqno"
        ) { statement in
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
            guard index.condition == wanted.condition else { return false }
            return wanted.isUnique
                ? index.isUnique && index.columns == wanted.columns : index.columns.starts(with: wanted.columns)
        }
    }
}
