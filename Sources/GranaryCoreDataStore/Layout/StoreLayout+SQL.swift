import GranaryCoordination
package import GranaryModel

extension StoreLayout {
    /// The statements that create an empty store, in Core Data's order: each entity table with the join tables that its
    /// entities name, then indexes, triggers and bookkeeping tables.
    func creationSQL(schema: Schema) -> [String] {
        var statements: [String] = []
        let joins = Dictionary(grouping: joinTables) { tableOfEntity[$0.entity] }
        for (index, table) in tables.enumerated() {
            statements.append(sql(of: table))
            for join in joins[index] ?? [] { statements.append(sql(of: join)) }
        }
        statements += IndexSQL(schema: schema, layout: self).statements()
        statements += DerivedTriggerSQL(schema: schema, layout: self).statements()
        statements += LocationTreeSQL(schema: schema, layout: self).statements
        statements += TriggerKeySQL(schema: schema, layout: self).triggers.map(\.sql)
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

    /// The column of a property by its declaring entity and slot; nil if it has none, or several.
    func column(entity: Int, slot: Int) -> String? {
        table(of: entity).columns.first { $0.entity == entity && $0.slot == slot && $0.isWholeValue }?.name
    }

    /// The column of an attribute; nil if it has none.
    package func column(of attribute: Schema.Attribute) -> String? {
        column(entity: attribute.owner, slot: attribute.slot)
    }

    /// The column of a to-one relationship; nil for other relationships.
    package func column(of relationship: Schema.Relationship) -> String? {
        column(entity: relationship.owner, slot: relationship.slot)
    }

    /// The column of the property with a name; nil if there is none.
    package func column(ofProperty name: String, in entity: Schema.Entity) -> String? {
        switch entity.property(named: name) {
        case .attribute(let index)?: column(of: entity.attributes[index])
        case .relationship(let index)?: column(of: entity.relationships[index])
        case nil: nil
        }
    }

    /// The table of an entity.
    package func table(of entity: Int) -> EntityTable { tables[tableOfEntity[entity]] }

    /// The name of an entity's table.
    package func tableName(of entity: Int) -> String { table(of: entity).name }
}

extension EntityTable.Column {
    /// Whether the column stores the value of a property: an attribute or the key of a to-one.
    var isWholeValue: Bool {
        switch content {
        case .attribute, .reference: true
        case .enumerationCase, .referenceEntity, .order, .owner: false
        }
    }

    /// Whether the column stores the value of a property, or one of the values that it can have.
    var isOwnValue: Bool {
        if case .enumerationCase = content { true } else { isWholeValue }
    }
}
