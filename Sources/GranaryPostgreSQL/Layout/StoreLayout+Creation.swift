#if PostgreSQL
    import GranaryModel

    /// The statements that create the tables of a store. Keys, indexes and foreign keys are in ``PendingKeys``, because they
    /// are created after many rows are inserted.
    extension StoreLayout {
        /// - Parameter schema: the model.
        func creationSQL(_ schema: Schema) -> String {
            var statements = tables.flatMap { creation(of: $0, schema) }
            statements += joinTables.flatMap(creation)
            statements.append(storeTableCreation)
            return statements.joined(separator: ";\n")
        }

        /// The statements for the keys, indexes and foreign keys of all tables.
        func pendingKeys(_ schema: Schema) -> PendingKeys {
            var keys = PendingKeys()
            for (index, table) in tables.enumerated() {
                let name = qualified(table.name)
                var statements = ["ALTER TABLE \(name) ADD PRIMARY KEY (\(SQLIdentifier.quoted(EntityTable.key)))"]
                for entity in schema.entities[table.root].family.map({ schema.entities[$0] }) {
                    statements += uniqueIndexes(of: entity, schema) + fetchIndexes(of: entity)
                }
                keys.tables[index] = statements + referenceIndexes(of: table)
                keys.references += references(of: table, schema)
            }
            for (index, join) in joinTables.enumerated() {
                keys.joins[index] = self.keys(of: join)
                keys.references += references(of: join)
            }
            let derived = DerivedTriggers(self, schema)
            let indexes = DerivedTexts(self, schema).items.map(\.index)
            keys.derived = indexes + derived.creationSQL() + derived.computationSQL()
            return keys
        }

        private func creation(of table: EntityTable, _ schema: Schema) -> [String] {
            let name = qualified(table.name)
            let (key, entity) = (SQLIdentifier.quoted(EntityTable.key), SQLIdentifier.quoted(EntityTable.entity))
            let kinds = names(of: schema.entities[table.root].family, schema)
            var lines = [
                "\(key) bigint NOT NULL DEFAULT nextval(\(SQLIdentifier.literal(qualified(table.sequence))))",
                "\(entity) text NOT NULL DEFAULT \(SQLIdentifier.literal(schema.entities[table.root].name)) "
                    + "CHECK (\(entity) IN (\(kinds)))",
                "\(SQLIdentifier.quoted(EntityTable.version)) bigint NOT NULL DEFAULT 1",
            ]
            var comments = [
                comment(on: key, of: name, "the key of the object"),
                comment(on: entity, of: name, "the name of the object's entity"),
                comment(
                    on: SQLIdentifier.quoted(EntityTable.version), of: name,
                    "1 when the object was inserted, one more at each change"),
            ]
            comments += ["COMMENT ON TABLE \(name) IS \(SQLIdentifier.literal(comment(on: table, schema)))"]
            for column in table.columns {
                let quoted = SQLIdentifier.quoted(column.name)
                lines.append("\(quoted) \(column.type.name)\(column.isRequired ? " NOT NULL" : "")")
                comments.append(comment(on: quoted, of: name, comment(on: column, schema)))
                guard let time = column.time else { continue }
                // The range of timestamptz; to_timestamp fails for other numbers.
                lines.append(
                    "\(SQLIdentifier.quoted(time)) timestamptz GENERATED ALWAYS AS (CASE WHEN \(quoted) BETWEEN -210000000000 "
                        + "AND 9200000000000 THEN to_timestamp(\(quoted) + 978307200) END) STORED")
                comments.append(
                    comment(
                        on: SQLIdentifier.quoted(time), of: name,
                        "\(schema.entities[column.entity].name).\(column.property): Date, computed from \(column.name)")
                )
            }
            return [
                "CREATE SEQUENCE \(qualified(table.sequence))",
                "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))",
                "ALTER SEQUENCE \(qualified(table.sequence)) OWNED BY \(name).\(key)",
            ] + comments
        }

        private func references(of table: EntityTable, _ schema: Schema) -> [String] {
            table.columns.filter { $0.content == .reference }.compactMap { column in
                let relationship = schema.entities[column.entity].relationships.first { $0.slot == column.slot }
                return relationship.map { relationship in
                    "ALTER TABLE \(qualified(table.name)) ADD FOREIGN KEY (\(SQLIdentifier.quoted(column.name))) REFERENCES "
                        + "\(qualified(self.table(of: relationship.destination).name)) DEFERRABLE INITIALLY DEFERRED"
                }
            }
        }

        private func referenceIndexes(of table: EntityTable) -> [String] {
            table.columns.filter { $0.content == .reference }.map { column in
                let order = self.order(of: column, in: table).map { ", \(SQLIdentifier.quoted($0))" } ?? ""
                return "CREATE INDEX ON \(qualified(table.name)) (\(SQLIdentifier.quoted(column.name))\(order))"
            }
        }

        /// The order column beside a reference.
        func order(of column: EntityTable.Column, in table: EntityTable) -> String? {
            table.column(of: column.entity, slot: column.slot, order: true).map { table.columns[$0].name }
        }

        private func creation(of join: JoinTable) -> [String] {
            let name = qualified(join.name)
            var lines = ["\(JoinTable.owner) bigint NOT NULL", "\(JoinTable.member) bigint NOT NULL"]
            if join.hasMemberOrder { lines.append("\(JoinTable.memberOrder) bigint") }
            if join.hasOwnerOrder { lines.append("\(JoinTable.ownerOrder) bigint") }
            return [
                "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))",
                "COMMENT ON TABLE \(name) IS "
                    + SQLIdentifier.literal("The links of \(join.name): owner and member are keys of objects"),
            ]
        }

        private func keys(of join: JoinTable) -> [String] {
            let name = qualified(join.name)
            let kind = join.isExclusive ? "UNIQUE INDEX" : "INDEX"
            let second = join.isExclusive ? "" : ", \(JoinTable.owner)"
            return [
                "ALTER TABLE \(name) ADD PRIMARY KEY (\(JoinTable.owner), \(JoinTable.member))",
                "CREATE \(kind) ON \(name) (\(JoinTable.member)\(second))",
            ]
        }

        private func references(of join: JoinTable) -> [String] {
            [(JoinTable.owner, join.ownerRoot), (JoinTable.member, join.memberRoot)].map { column, root in
                "ALTER TABLE \(qualified(join.name)) ADD FOREIGN KEY (\(column)) REFERENCES \(qualified(table(of: root).name)) "
                    + "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
            }
        }

        /// The unique indexes of the constraints that an entity declares. NULL conflicts with nothing.
        private func uniqueIndexes(of entity: Schema.Entity, _ schema: Schema) -> [String] {
            entity.uniquenessConstraints.filter { $0.owner == entity.index }.compactMap {
                uniqueIndex($0, of: entity, schema)
            }
        }

        /// The statement for the unique index of a constraint; nil if a property has no column.
        ///
        /// - Parameter more: a further column, unquoted.
        func uniqueIndex(
            _ constraint: Schema.UniquenessConstraint, of entity: Schema.Entity, _ schema: Schema,
            adding more: String? = nil
        ) -> String? {
            let table = self.table(of: entity.index)
            let columns = constraint.properties.compactMap { column(of: $0, in: entity) }
            guard columns.count == constraint.properties.count, !columns.isEmpty else { return nil }
            var list = columns.map { column in
                SQLIdentifier.quoted(column.name) + (column.type == .text ? " COLLATE \"C\"" : "")
            }
            if let more { list.append(SQLIdentifier.quoted(more)) }
            let condition =
                entity.superentity == nil
                ? "" : " WHERE \(SQLIdentifier.quoted(EntityTable.entity)) IN (\(names(of: entity.family, schema)))"
            return "CREATE UNIQUE INDEX ON \(qualified(table.name)) (\(list.joined(separator: ", ")))\(condition)"
        }

        /// The indexes that an entity declares in the model, except those over expressions, R-trees and parts of the rows.
        private func fetchIndexes(of entity: Schema.Entity) -> [String] {
            entity.description.fetchIndexes.compactMap { index in
                guard index.partialIndexPredicate == nil, !index.elements.isEmpty else { return nil }
                var list: [String] = []
                for element in index.elements {
                    guard element.kind == .binary, let property = element.propertyName.flatMap(entity.property(named:)),
                        let column = column(of: property, in: entity), column.type != .bytea
                    else { return nil }
                    list.append(
                        SQLIdentifier.quoted(column.name) + (column.type == .text ? " COLLATE \"C\"" : "")
                            + (element.isAscending ? "" : " DESC"))
                }
                let table = qualified(self.table(of: entity.index).name)
                return "CREATE INDEX ON \(table) (\(list.joined(separator: ", ")))"
            }
        }

        /// The column of a persistent property that is stored in the rows of an entity.
        func column(of property: Schema.Slot, in entity: Schema.Entity) -> EntityTable.Column? {
            let (owner, slot) =
                switch property {
                case .attribute(let index): (entity.attributes[index].owner, entity.attributes[index].slot)
                case .relationship(let index): (entity.relationships[index].owner, entity.relationships[index].slot)
                }
            let table = self.table(of: entity.index)
            return table.column(of: owner, slot: slot).map { table.columns[$0] }
        }

        /// The names of entities as literals.
        func names(of entities: Range<Int>, _ schema: Schema) -> String {
            entities.map { SQLIdentifier.literal(schema.entities[$0].name) }.joined(separator: ", ")
        }

        private var storeTableCreation: String {
            """
            CREATE TABLE \(storeTable) (
                layout integer NOT NULL, identifier uuid NOT NULL, model text NOT NULL, metadata bytea NOT NULL,
                tables text[] NOT NULL, generation bigint NOT NULL DEFAULT 0, singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton));
            COMMENT ON TABLE \(storeTable) IS 'A store of Granary: its model as JSON, its metadata as a property list, its tables'
            """
        }
    }

    /// Comments, for people who look at the tables.
    extension StoreLayout {
        private func comment(on column: String, of table: String, _ text: String) -> String {
            "COMMENT ON COLUMN \(table).\(column) IS \(SQLIdentifier.literal(text))"
        }

        private func comment(on table: EntityTable, _ schema: Schema) -> String {
            let names = schema.entities[table.root].family.map { schema.entities[$0].name }
            return names.count == 1
                ? "The objects of the entity \(names[0])"
                : "The objects of the entity \(names[0]) and its subentities \(names.dropFirst().joined(separator: ", "))"
        }

        private func comment(on column: EntityTable.Column, _ schema: Schema) -> String {
            let entity = schema.entities[column.entity]
            let name = "\(entity.name).\(column.property)"
            switch column.content {
            case .attribute(let type):
                let attribute = entity.attributes.first { $0.slot == column.slot }?.description
                let rules = attribute.map { RuleComment.text($0, isNotNull: column.isRequired) } ?? ""
                return
                    "\(name): \(type.name)\(type == .date ? ", in seconds since 2001-01-01 00:00:00 UTC" : "")\(rules)"
            case .reference:
                let target = entity.relationships.first { $0.slot == column.slot }.map(\.destination)
                return "\(name): the key of an object of the entity \(target.map { schema.entities[$0].name } ?? "")"
            case .order: return "the place of the object in the ordered inverse of \(name)"
            }
        }
    }
#endif
