#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// Computes the tables of a model. The result depends on names only, not on the order in which the model declares its
    /// properties.
    struct StoreLayoutBuilder {
        private let schema: Schema
        private var tables: [EntityTable] = []
        private var tableOfEntity: [Int]
        private var joinTables: [JoinTable] = []
        private var places: [LinkLayout.ID: StoreLayout.LinkPlace] = [:]
        private var names = SQLNames()

        private init(_ schema: Schema) {
            self.schema = schema
            tableOfEntity = Array(repeating: 0, count: schema.entities.count)
            for name in [StoreLayout.storeTable] + HistoryTables.names { _ = names.take(name) }
        }

        /// - Parameter namespace: the PostgreSQL schema, unquoted.
        /// - Throws: ``GranaryError`` with code `refused` if an entity needs too many columns.
        static func layout(for schema: Schema, namespace: String) throws(GranaryError) -> StoreLayout {
            var builder = StoreLayoutBuilder(schema)
            for root in schema.entities where root.superentity == nil { try builder.addTable(of: root) }
            for entity in schema.entities { builder.addLinks(of: entity) }
            return StoreLayout(
                namespace: SQLIdentifier.quoted(namespace), tables: builder.tables, joinTables: builder.joinTables,
                tableOfEntity: builder.tableOfEntity, places: builder.places)
        }

        private mutating func addTable(of root: Schema.Entity) throws(GranaryError) {
            var columns = SQLNames()
            for name in [EntityTable.key, EntityTable.entity, EntityTable.version] { _ = columns.take(name) }
            let name = names.take(root.name)
            var table = EntityTable(
                name: name, root: root.index, sequence: names.take("\(root.name)\(EntityTable.key)"))
            let unique = Self.uniqueNames(in: root, of: schema)
            let indexed = unique.union(Self.indexedNames(in: root, of: schema))
            for index in root.family {
                tableOfEntity[index] = tables.count
                let entity = schema.entities[index]
                for attribute in entity.attributes.filter({ $0.owner == index && $0.isPersistent }).sortedByName(\.name)
                {
                    let isDate = attribute.type == .date
                    let shown = columns.take(attribute.name)
                    table.columns.append(
                        EntityTable.Column(
                            name: isDate ? columns.take(attribute.name + EntityTable.secondsSuffix) : shown,
                            content: .attribute(attribute.type), entity: index, slot: attribute.slot,
                            property: attribute.name, time: isDate ? shown : nil,
                            isRequired: index == root.index && !attribute.description.isOptional
                                && attribute.description.derivationExpression == nil
                                && !unique.contains(attribute.name),
                            isIndexed: indexed.contains(attribute.name)))
                }
                for relationship in Self.own(entity, toMany: false) {
                    func add(_ name: String, _ content: EntityTable.Column.Content) {
                        table.columns.append(
                            EntityTable.Column(
                                name: columns.take(name), content: content, entity: index, slot: relationship.slot,
                                property: relationship.name))
                    }
                    add(relationship.name, .reference)
                    if isOrdered(relationship.inverse) { add(relationship.name + EntityTable.orderSuffix, .order) }
                }
            }
            let count = table.columns.count + table.columns.count { $0.time != nil } + 3
            guard count <= StoreLayout.columnLimit else {
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded,
                        "\(root.name) and its subentities need \(count) columns; PostgreSQL's limit is "
                            + "\(StoreLayout.columnLimit)", entity: root.name))
            }
            tables.append(table)
        }

        /// The properties in uniqueness constraints of a hierarchy. An import sets them to NULL while another object takes
        /// over the value, so they cannot be NOT NULL.
        private static func uniqueNames(in root: Schema.Entity, of schema: Schema) -> Set<String> {
            Set(root.family.flatMap { schema.entities[$0].uniquenessConstraints.flatMap(\.names) })
        }

        /// The properties in fetch indexes of a hierarchy.
        private static func indexedNames(in root: Schema.Entity, of schema: Schema) -> Set<String> {
            Set(
                root.family.flatMap { schema.entities[$0].description.fetchIndexes }.flatMap(\.elements)
                    .compactMap(\.propertyName))
        }

        private static func own(_ entity: Schema.Entity, toMany: Bool) -> [Schema.Relationship] {
            entity.relationships.filter { $0.owner == entity.index && $0.isPersistent && $0.isToMany == toMany }
                .sortedByName(\.name)
        }

        private func relationship(_ inverse: Schema.Inverse?) -> Schema.Relationship? {
            inverse.map { schema.entities[$0.owner].relationships[$0.relationship] }
        }

        private func isOrdered(_ inverse: Schema.Inverse?) -> Bool {
            relationship(inverse).map { $0.isToMany && $0.isPersistent && $0.description.isOrdered } ?? false
        }

        private mutating func addLinks(of entity: Schema.Entity) {
            for relationship in Self.own(entity, toMany: true) {
                let inverse = self.relationship(relationship.inverse)
                if let inverse, !inverse.isToMany {
                    let table = tableOfEntity[inverse.owner]
                    guard let column = tables[table].column(of: inverse.owner, slot: inverse.slot) else { continue }
                    places[LinkLayout.ID(relationship)] = .reference(
                        table: table, column: column,
                        order: tables[table].column(of: inverse.owner, slot: inverse.slot, order: true))
                } else if places[LinkLayout.ID(relationship)] == nil {
                    addJoinTable(relationship, inverse)
                }
            }
        }

        private mutating func addJoinTable(_ relationship: Schema.Relationship, _ inverse: Schema.Relationship?) {
            // The relationship whose name is first has its owners in the column `owner`.
            var (first, second) = (relationship, inverse)
            if let inverse, utf8Less(name(of: inverse), name(of: relationship)) {
                (first, second) = (inverse, relationship)
            }
            let isReflexive = second.map { LinkLayout.ID($0) == LinkLayout.ID(first) } ?? false
            let table = JoinTable(
                name: names.take(name(of: first)), relationship: LinkLayout.ID(first),
                ownerRoot: schema.entities[first.owner].root, memberRoot: schema.entities[first.destination].root,
                hasMemberOrder: first.description.isOrdered,
                hasOwnerOrder: !isReflexive && second?.description.isOrdered ?? false, isReflexive: isReflexive,
                isExclusive: second == nil)
            if let second { places[LinkLayout.ID(second)] = .join(table: joinTables.count, isForward: false) }
            places[LinkLayout.ID(first)] = .join(table: joinTables.count, isForward: true)
            joinTables.append(table)
        }

        private func name(of relationship: Schema.Relationship) -> String {
            "\(schema.entities[relationship.owner].name).\(relationship.name)"
        }
    }

    extension Array {
        fileprivate func sortedByName(_ name: (Element) -> String) -> [Element] {
            sorted { utf8Less(name($0), name($1)) }
        }
    }
#endif
