import GranaryCoordination
package import GranaryModel

/// Computes a model's tables by the rules observed in real stores (sqlite-layout §3 to §6).
package struct StoreLayoutBuilder {
    let schema: Schema
    /// The tables of an existing file, if there is one. They decide where the rules are ambiguous.
    private let present: PresentTables
    private var tables: [EntityTable] = []
    private var joinTables: [JoinTable] = []
    private var tableOfEntity: [Int] = []
    private var linkPlaces: [LinkLayout.ID: StoreLayout.LinkPlace] = [:]
    /// The foreign key column of each to-one relationship.
    private var foreignKeys: [LinkLayout.ID: (column: String, entityColumn: String?)] = [:]
    private var tableNames = UniqueNames(taken: StoreLayout.bookkeepingTables)
    /// The column names of each table of ``tables``.
    private var columnNames: [UniqueNames] = []
    private var joinColumnNames = UniqueNames()
    private var unsettledJoinTables: Set<String> = []

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
        builder.addJoinTables()
        for index in builder.tables.indices { builder.sortColumns(ofTable: index) }
        return StoreLayout(
            tables: builder.tables, joinTables: builder.joinTables, tableOfEntity: builder.tableOfEntity,
            linkPlaces: builder.linkPlaces, unsettledJoinTables: builder.unsettledJoinTables.sorted())
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

    // MARK: Join tables

    /// Two to-many relationships that are inverses of each other, and their table.
    private struct JoinPair {
        /// The relationship after which the table is named.
        let naming: Schema.Relationship
        let other: Schema.Relationship
        let table: String
        /// The column with the keys of the naming entity.
        var first: String?
        /// The column with the keys of the other entity.
        var second: String?

        /// Whether a relationship is its own inverse.
        var isReflexive: Bool { naming.owner == other.owner && naming.slot == other.slot }
        /// The default name of ``first``. It has the number of the entity whose keys it holds, and the name of the
        /// relationship that refers to that entity.
        var firstName: String { "Z_\(naming.owner + 1)\(other.name.uppercased())" }
        var secondName: String {
            isReflexive ? StoreLayout.reflexiveColumn : "Z_\(other.owner + 1)\(naming.name.uppercased())"
        }
    }

    private mutating func addJoinTables() {
        var pairs: [JoinPair] = []
        for entity in schema.entities {
            for relationship in Self.ownRelationships(entity, toMany: true) {
                guard let inverse = relationship.inverse else { continue }
                let other = schema.entities[inverse.owner].relationships[inverse.relationship]
                // Each pair once: the entity with the lower number names the table.
                guard other.isToMany, other.isPersistent, entity.index <= other.owner else { continue }
                guard entity.index == other.owner else {
                    pairs.append(pair(naming: relationship, other: other))
                    continue
                }
                // Both relationships in one entity: the later name matches most real stores; no rule matches all
                // (sqlite-layout §6.4).
                guard !utf8Less(relationship.name, other.name) else { continue }
                let isNamedByEarlier =
                    present[Self.joinTableName(relationship)] == nil && present[Self.joinTableName(other)] != nil
                pairs.append(
                    isNamedByEarlier
                        ? pair(naming: other, other: relationship) : pair(naming: relationship, other: other))
            }
        }
        nameColumns(of: &pairs)
        for pair in pairs { add(pair) }
    }

    private mutating func pair(naming: Schema.Relationship, other: Schema.Relationship) -> JoinPair {
        let table = tableNames.take(Self.joinTableName(naming))
        if present[table] == nil, schema.entities[naming.owner].root == schema.entities[other.owner].root {
            unsettledJoinTables.insert(table)
        }
        return JoinPair(naming: naming, other: other, table: table)
    }

    private static func joinTableName(_ naming: Schema.Relationship) -> String {
        "Z_\(naming.owner + 1)\(naming.name.uppercased())"
    }

    /// Sets the names of the columns. If columns of two tables have the same name, one gets a digit: the column whose
    /// relationship has the later name in the shared entity, as in 99 of 99 stores (sqlite-layout §6.3). Names in an
    /// existing file are used unchanged.
    private mutating func nameColumns(of pairs: inout [JoinPair]) {
        var columns: [(pair: Int, isFirst: Bool, relationship: String)] = []
        for index in pairs.indices {
            let known = present.columns(pairs[index].firstName, pairs[index].secondName, of: pairs[index].table)
            pairs[index].first = known.first
            pairs[index].second = pairs[index].isReflexive ? StoreLayout.reflexiveColumn : known.second
            columns.append((index, true, pairs[index].naming.name))
            if !pairs[index].isReflexive { columns.append((index, false, pairs[index].other.name)) }
        }
        columns.sort { utf8Less($0.relationship, $1.relationship) }
        for (index, isFirst, _) in columns {
            guard (isFirst ? pairs[index].first : pairs[index].second) == nil else { continue }
            let wanted = isFirst ? pairs[index].firstName : pairs[index].secondName
            let name = joinColumnNames.take(wanted)
            if name != wanted { unsettledJoinTables.insert(pairs[index].table) }
            if isFirst { pairs[index].first = name } else { pairs[index].second = name }
        }
    }

    private mutating func add(_ pair: JoinPair) {
        let (first, second) = (pair.first ?? pair.firstName, pair.second ?? pair.secondName)
        // `other` orders the objects in the first column.
        let firstOrder =
            pair.other.description.isOrdered && !pair.isReflexive
            ? orderColumn(of: first, named: pair.firstName, in: pair.table) : nil
        let secondOrder =
            pair.naming.description.isOrdered
            ? orderColumn(of: second, named: pair.secondName, in: pair.table) : nil
        let table = joinTables.count
        joinTables.append(
            JoinTable(
                name: pair.table, entity: pair.naming.owner, firstColumn: first, secondColumn: second,
                orderColumns: [firstOrder, secondOrder].compactMap { $0 }))
        linkPlaces[.init(pair.other)] = .join(table: table, owner: second, destination: first, orderColumn: firstOrder)
        linkPlaces[.init(pair.naming)] = .join(
            table: table, owner: first, destination: second, orderColumn: secondOrder)
    }

    /// The order column of a column. No known file shows whether its name repeats the digit of a column `Z_4BOOKS1`.
    private func orderColumn(of column: String, named name: String, in table: String) -> String {
        present.column(Self.orderColumn(of: column), or: Self.orderColumn(of: name), of: table)
    }

    /// Converts `Z_4BOOKS` to `Z_FOK_4BOOKS`.
    private static func orderColumn(of column: String) -> String {
        "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
    }
}
