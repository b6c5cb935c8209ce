#if PostgreSQL
    import GranaryModel

    extension CitusPlan {
        /// Finds the constraints that Citus does not take as they are: primary keys and uniqueness constraints without the
        /// distribution column, and foreign keys to another node.
        struct Changes {
            let layout: StoreLayout
            let schema: Schema
            /// By the indices of the layout's tables.
            let tables: [Placement]
            let joinTables: [Placement]

            /// Foreign keys first: others depend on the primary keys.
            var all: [CitusChange] {
                let keys =
                    layout.tables.indices.flatMap(references(ofTable:))
                    + layout.joinTables.indices.flatMap(references(ofJoin:))
                return keys + layout.tables.indices.flatMap { primaryKey($0) + uniqueness($0) }
                    + layout.joinTables.indices.flatMap(exclusiveness)
            }

            var missingColumns: [String] {
                func message(_ name: String, _ placement: Placement) -> String? {
                    guard case .chain(let names) = placement else { return nil }
                    return
                        "\(name): the key of the anchor is reached by \(names.joined(separator: ".")), so the table needs a "
                        + "column for it, which the layout does not have"
                }
                return zip(layout.tables, tables).compactMap { message(schema.entities[$0.root].name, $1) }
                    + zip(layout.joinTables, joinTables).compactMap { message($0.name, $1) }
            }

            private func placement(ofRoot root: Int) -> Placement {
                layout.tables.firstIndex { $0.root == root }.map { tables[$0] } ?? .reference
            }

            /// The foreign keys of an entity's table. Only a reference by the column that distributes both tables can be one.
            private func references(ofTable index: Int) -> [CitusChange] {
                let table = layout.tables[index]
                return table.columns.filter { $0.content == .reference }.compactMap { column in
                    let relationship = schema.entities[column.entity].relationships.first { $0.slot == column.slot }
                    guard let relationship else { return nil }
                    let other = placement(ofRoot: schema.entities[relationship.destination].root)
                    if other == .reference { return nil }
                    if tables[index] == .column(column.name), other == .column(EntityTable.key) { return nil }
                    return CitusChange(
                        part: .reference(table: table.name, column: column.name),
                        message:
                            "\(schema.entities[column.entity].name).\(relationship.name) cannot be a foreign key, because its "
                            + "destination can be on another node")
                }
            }

            private func references(ofJoin index: Int) -> [CitusChange] {
                let join = layout.joinTables[index]
                return [(JoinTable.owner, join.ownerRoot), (JoinTable.member, join.memberRoot)].compactMap {
                    column, root in
                    let other = placement(ofRoot: root)
                    if other == .reference || joinTables[index] == .column(column) && other == .column(EntityTable.key)
                    {
                        return nil
                    }
                    return CitusChange(
                        part: .reference(table: join.name, column: column),
                        message:
                            "\(join.name): the \(column) cannot be a foreign key, because it can be on another node")
                }
            }

            /// The column that distributes a table by the key of another one.
            private func column(_ index: Int) -> String? {
                guard case .column(let name) = tables[index], name != EntityTable.key else { return nil }
                return name
            }

            private func primaryKey(_ index: Int) -> [CitusChange] {
                guard let column = column(index) else { return [] }
                let table = layout.tables[index]
                let names = [EntityTable.key, column].map(SQLIdentifier.quoted).joined(separator: ", ")
                return [
                    CitusChange(
                        part: .primaryKey(table: table.name),
                        message: "\(schema.entities[table.root].name): the primary key gets \(column)",
                        replacement: "PRIMARY KEY (\(names))")
                ]
            }

            private func uniqueness(_ index: Int) -> [CitusChange] {
                let table = layout.tables[index]
                guard tables[index] != .reference else { return [] }
                return schema.entities[table.root].family.map { schema.entities[$0] }.flatMap { entity in
                    entity.uniquenessConstraints.filter { $0.owner == entity.index }.compactMap { constraint in
                        let names = constraint.properties.compactMap { layout.column(of: $0, in: entity)?.name }
                        let part = CitusChange.Part.unique(table: table.name, columns: names)
                        let title =
                            "\(entity.name): the uniqueness constraint (\(constraint.names.joined(separator: ", ")))"
                        guard let column = column(index) else {
                            let column =
                                tables[index] == .column(EntityTable.key) ? EntityTable.key : "the anchor's key"
                            return CitusChange(
                                part: part,
                                message: "\(title) does not contain \(column), so that Citus cannot check it")
                        }
                        guard !names.contains(column),
                            let replacement = layout.uniqueIndex(constraint, of: entity, schema, adding: column)
                        else { return nil }
                        return CitusChange(
                            part: part,
                            message:
                                "\(title) gets \(column): Citus checks it among the objects with the same \(column), and only "
                                + "Granary among all", replacement: replacement)
                    }
                }
            }

            /// A relationship without an inverse: an object has one owner.
            private func exclusiveness(_ index: Int) -> [CitusChange] {
                let join = layout.joinTables[index]
                guard join.isExclusive, joinTables[index] == .column(JoinTable.owner) else { return [] }
                return [
                    CitusChange(
                        part: .unique(table: join.name, columns: [JoinTable.member]),
                        message:
                            "\(join.name): that a member has one owner does not contain the owner, so that Citus cannot check it"
                    )
                ]
            }
        }
    }
#endif
