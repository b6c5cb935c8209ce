import GranaryCoordination
import GranaryModel

extension StoreLayout {
    /// The statements that create an empty store, in Core Data's order: entity tables, each followed by the join tables
    /// it names; indexes; triggers; bookkeeping tables.
    func creationSQL(schema: Schema) -> [String] {
        var statements: [String] = []
        let joins = Dictionary(grouping: joinTables) { tableOfEntity[$0.entity] }
        for (index, table) in tables.enumerated() {
            statements.append(sql(of: table))
            for join in joins[index] ?? [] { statements.append(sql(of: join)) }
        }
        statements += IndexSQL(schema: schema, layout: self).statements()
        statements += DerivedTriggerSQL(schema: schema, layout: self).statements()
        statements += [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ]
        return statements
    }

    private func sql(of table: EntityTable) -> String {
        let columns =
            ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            + table.columns.map { "\($0.name) \($0.declaredType)" }
        return "CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
    }

    private func sql(of join: JoinTable) -> String {
        let columns = ([join.firstColumn, join.secondColumn] + join.orderColumns).map { "\($0) INTEGER" }
        let key = "PRIMARY KEY (\(join.firstColumn), \(join.secondColumn))"
        return "CREATE TABLE \(join.name) ( \((columns + [key]).joined(separator: ", ")) )"
    }

    /// The column of a property as its own entity declares it; nil where it has none.
    package func column(entity: Int, slot: Int) -> String? {
        tables[tableOfEntity[entity]].columns.first {
            $0.entity == entity && $0.slot == slot && $0.isOwnValue
        }?.name
    }
}

extension EntityTable.Column {
    /// Whether it keeps the property's own value, not something about a relationship at the other end.
    var isOwnValue: Bool {
        switch content {
        case .attribute, .reference: true
        case .referenceEntity, .order, .owner: false
        }
    }
}
