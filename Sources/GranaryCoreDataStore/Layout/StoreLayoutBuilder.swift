import GranaryCoordination
package import GranaryModel

/// Computes a model's tables by the rules observed in real stores (docs/core-data/sqlite-layout.md).
package struct StoreLayoutBuilder {
    let schema: Schema
    /// The tables of an existing file, if there is one. They decide where the rules are ambiguous.
    private let present: PresentTables
    private var tables: [EntityTable] = []
    private var tableOfEntity: [Int] = []
    private var linkPlaces: [LinkLayout.ID: StoreLayout.LinkPlace] = [:]
    /// The foreign key column of each to-one relationship.
    private var foreignKeys: [LinkLayout.ID: (column: String, entityColumn: String?)] = [:]
    private var tableNames = UniqueNames(taken: StoreLayout.bookkeepingTables)
    /// The column names of each table of ``tables``.
    private var columnNames: [UniqueNames] = []

    private init(schema: Schema, present: PresentTables) {
        self.schema = schema
        self.present = present
    }

    /// Computes the layout of a store.
    ///
    /// - Parameter present: the tables of the existing store; for a new store, the tables of a store from which names
    ///   are taken, or none.
    package static func layout(for schema: Schema, present: PresentTables = PresentTables()) -> StoreLayout {
        var builder = StoreLayoutBuilder(schema: schema, present: present)
        for root in schema.entities where root.superentity == nil { builder.addTable(of: root) }
        for entity in schema.entities { builder.addToManyColumns(of: entity) }
        var joins = JoinTableBuilder(schema: schema, present: present)
        joins.run(names: &builder.tableNames)
        for index in builder.tables.indices { builder.sortColumns(ofTable: index) }
        return StoreLayout(
            tables: builder.tables, joinTables: joins.tables, tableOfEntity: builder.tableOfEntity,
            linkPlaces: builder.linkPlaces.merging(joins.places) { own, _ in own },
            unconfirmedJoinTables: joins.unconfirmed.sorted())
    }

    private mutating func addTable(of root: Schema.Entity) {
        var columns: [EntityTable.Column] = []
        // Every table has these three columns.
        var names = UniqueNames(taken: ["Z_PK", "Z_ENT", "Z_OPT"])
        let table = tableNames.take("Z" + root.name.uppercased())
        for index in root.family {
            let entity = schema.entities[index]
            tableOfEntity.append(tables.count)
            for attribute in Self.ownAttributes(entity) {
                if let cases = attribute.cases {
                    for (number, name) in cases.enumerated() {
                        columns.append(
                            .init(
                                name: names.take("Z" + name.uppercased()), content: .enumerationCase(number),
                                entity: index, slot: attribute.slot))
                    }
                    continue
                }
                let leaf = attribute.name.split(separator: ".").last.map(String.init) ?? attribute.name
                columns.append(
                    .init(
                        name: names.take("Z" + leaf.uppercased()), content: .attribute(attribute.type), entity: index,
                        slot: attribute.slot))
            }
            for relationship in Self.ownRelationships(entity, toMany: false) {
                let name = names.take("Z" + relationship.name.uppercased())
                columns.append(.init(name: name, content: .reference, entity: index, slot: relationship.slot))
                var entityColumn: String?
                let destination = schema.entities[relationship.destination]
                if destination.hasSubentities {
                    // No known file shows whether the name repeats a digit of the key's column.
                    let prefix = "Z\(destination.number)_"
                    let column = names.take(
                        present.column(
                            prefix + name.dropFirst(), or: prefix + relationship.name.uppercased(), of: table))
                    columns.append(
                        .init(name: column, content: .referenceEntity, entity: index, slot: relationship.slot))
                    entityColumn = column
                }
                foreignKeys[.init(relationship)] = (name, entityColumn)
            }
        }
        tables.append(EntityTable(name: table, root: root.index, columns: columns))
        columnNames.append(names)
    }

    /// The persistent relationships that an entity declares, sorted by name.
    private static func ownRelationships(_ entity: Schema.Entity, toMany: Bool) -> [Schema.Relationship] {
        entity.relationships.filter { $0.owner == entity.index && $0.isPersistent && $0.isToMany == toMany }
            .sorted { utf8Less($0.name, $1.name) }
    }

    /// The persistent attributes that an entity declares, sorted by name. A composite's elements keep their order, at
    /// the position of the composite's name.
    private static func ownAttributes(_ entity: Schema.Entity) -> [Schema.Attribute] {
        let own = entity.attributes.filter { $0.owner == entity.index && $0.isPersistent }
        return own.sorted { left, right in
            let names = (left.name.prefix { $0 != "." }, right.name.prefix { $0 != "." })
            return names.0 == names.1 ? left.slot < right.slot : utf8Less(String(names.0), String(names.1))
        }
    }

    /// Adds the columns of to-many relationships to their destinations' tables.
    private mutating func addToManyColumns(of entity: Schema.Entity) {
        for relationship in Self.ownRelationships(entity, toMany: true) {
            let isOrdered = relationship.description.isOrdered
            let table = tableOfEntity[relationship.destination]
            let place: (column: String, entityColumn: String?)
            // The name of the column without a digit.
            let name: String
            if let inverse = relationship.inverse {
                let other = schema.entities[inverse.owner].relationships[inverse.relationship]
                guard let foreignKey = foreignKeys[.init(other)] else { continue }
                place = foreignKey
                name = "Z" + other.name.uppercased()
            } else {
                name = "Z\(entity.number)\(relationship.name.uppercased())"
                place = (append(table, name, .owner, relationship), nil)
            }
            var order: String?
            if isOrdered {
                let column = present.column(
                    "Z_FOK_" + place.column.dropFirst(), or: "Z_FOK_" + name.dropFirst(), of: tables[table].name)
                order = append(table, column, .order, relationship)
            }
            linkPlaces[.init(relationship)] = .foreignKey(
                table: table, column: place.column, entityColumn: place.entityColumn, orderColumn: order)
        }
    }

    /// Adds a column for a relationship of another object, and returns its name.
    private mutating func append(
        _ table: Int, _ name: String, _ content: EntityTable.Column.Content, _ relationship: Schema.Relationship
    ) -> String {
        let name = columnNames[table].take(name)
        tables[table].columns.append(
            .init(name: name, content: content, entity: relationship.owner, slot: relationship.slot))
        return name
    }

    /// Sorts the columns by group. Within a group they keep their order.
    private mutating func sortColumns(ofTable index: Int) {
        tables[index].columns = tables[index].columns.enumerated()
            .sorted { ($0.element.group, $0.offset) < ($1.element.group, $1.offset) }.map(\.element)
    }
}
