#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// What foreign keys and unique indexes ensure, unless somebody has dropped them, and what they cannot ensure: that the
    /// destination of a reference is an object of the right subentity.
    extension PostgreSQLStore: ContentChecking {
        func checkContent(_ body: (ContentProblem) throws -> Void) throws {
            try reading {
                for entity in schema.entities {
                    for relationship in entity.relationships
                    where relationship.owner == entity.index && relationship.isPersistent {
                        try Cancellation.current?.check()
                        if relationship.isToMany {
                            try checkLinks(of: relationship, body)
                        } else {
                            try checkReferences(of: relationship, body)
                            try checkOtherSide(of: relationship, body)
                        }
                    }
                    for constraint in entity.uniquenessConstraints where constraint.owner == entity.index {
                        try checkUniqueness(constraint, body)
                    }
                    if entity.superentity == nil { try checkSequence(of: entity, body) }
                }
            }
        }

        private func checkReferences(
            of relationship: Schema.Relationship, _ body: (ContentProblem) throws -> Void
        ) throws {
            let table = layout.table(of: relationship.owner)
            guard let place = table.column(of: relationship.owner, slot: relationship.slot) else { return }
            let (owner, target) = (schema.entities[relationship.owner], schema.entities[relationship.destination])
            let column = SQLIdentifier.quoted(table.columns[place].name)
            let sql =
                "SELECT t.\(Self.key), t.\(column) FROM \(layout.qualified(table.name)) t"
                + condition(owner.family, "t.\(column) IS NOT NULL AND NOT EXISTS (\(object("t.\(column)", target)))")
                + " ORDER BY 1"
            try connection.forEachRow(sql) { result, row in
                let key = result.integer(row, 0) ?? 0
                try body(
                    ContentProblem(
                        Diagnostic(
                            .relationshipNotFound,
                            "p\(key) refers to p\(result.integer(row, 1) ?? 0), which is not an object of \(target.name)",
                            entity: owner.name, property: relationship.name),
                        table: table.name, column: table.columns[place].name, remedy: .setRelationship))
                return true
            }
        }

        /// Checks the rows of a join table. The references of a one-to-many are those of its inverse.
        private func checkLinks(
            of relationship: Schema.Relationship, _ body: (ContentProblem) throws -> Void
        ) throws {
            guard case .join(let index, isForward: true)? = layout.place(of: relationship) else { return }
            let join = layout.joinTables[index]
            let (owner, target) = (schema.entities[relationship.owner], schema.entities[relationship.destination])
            for (column, entity) in [(JoinTable.owner, owner), (JoinTable.member, target)] {
                let sql =
                    "SELECT j.\(JoinTable.owner), j.\(column) FROM \(layout.qualified(join.name)) j "
                    + "WHERE NOT EXISTS (\(object("j.\(column)", entity))) ORDER BY 1, 2"
                try connection.forEachRow(sql) { result, row in
                    let key = result.integer(row, 0) ?? 0
                    try body(
                        ContentProblem(
                            Diagnostic(
                                .relationshipNotFound,
                                "a link of p\(key) refers to p\(result.integer(row, 1) ?? 0), which is not an object of "
                                    + entity.name, entity: owner.name, property: relationship.name),
                            table: join.name, column: column, remedy: .setRelationship))
                    return true
                }
            }
        }

        /// The subquery that finds an object of an entity by its key.
        private func object(_ key: String, _ entity: Schema.Entity) -> String {
            let kinds = layout.names(of: entity.family, schema)
            return
                "SELECT FROM \(layout.qualified(layout.table(of: entity.index).name)) d WHERE d.\(Self.key) = \(key) "
                + "AND d.\(Self.entity) IN (\(kinds))"
        }

        private func checkOtherSide(
            of relationship: Schema.Relationship, _ body: (ContentProblem) throws -> Void
        ) throws {
            let count = try oneSidedReferences(of: relationship)
            guard count > 0, let inverse = relationship.inverse else { return }
            let mirror = schema.entities[inverse.owner].relationships[inverse.relationship]
            let objects = count == 1 ? "1 object refers" : "\(count) objects refer"
            try body(
                ContentProblem(
                    Diagnostic(
                        .storeCorrupt, "\(objects) to an object whose \(mirror.name) does not refer back",
                        severity: .warning, entity: schema.entities[relationship.owner].name,
                        property: relationship.name),
                    table: layout.table(of: relationship.owner).name))
        }

        private func checkUniqueness(
            _ constraint: Schema.UniquenessConstraint, _ body: (ContentProblem) throws -> Void
        ) throws {
            let owner = schema.entities[constraint.owner]
            let table = layout.table(of: owner.index)
            let columns = constraint.properties.compactMap { layout.column(of: $0, in: owner) }
            guard columns.count == constraint.properties.count, !columns.isEmpty else { return }
            let names = columns.map { "t.\(SQLIdentifier.quoted($0.name))" }
            let groups = zip(names, columns).map { name, column in
                column.type == .text ? "\(name) COLLATE \"C\"" : name
            }
            let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            let sql =
                "SELECT min(t.\(Self.key)), max(t.\(Self.key)), count(*) FROM \(layout.qualified(table.name)) t"
                + condition(owner.family, present)
                + " GROUP BY \(groups.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1"
            try connection.forEachRow(sql) { result, row in
                let (first, last) = (result.integer(row, 0) ?? 0, result.integer(row, 1) ?? 0)
                let count = result.integer(row, 2) ?? 0
                try body(
                    ContentProblem(
                        Diagnostic(
                            .uniqueDuplicate,
                            "p\(first) and p\(last) have the same value\(count > 2 ? ", \(count) objects in all" : "")",
                            entity: owner.name, property: constraint.names.joined(separator: ","), coreDataCode: 1551),
                        table: table.name, column: columns.map(\.name).joined(separator: ","),
                        remedy: .changeValue))
                return true
            }
        }

        /// Other programs can insert rows with keys of their own. The sequence then gives keys that exist.
        private func checkSequence(of entity: Schema.Entity, _ body: (ContentProblem) throws -> Void) throws {
            let table = layout.table(of: entity.index)
            let sequence = layout.qualified(table.sequence)
            let result = try connection.query(
                "SELECT max(\(Self.key)), (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM "
                    + "\(sequence)) FROM \(layout.qualified(table.name))")
            guard let largest = result.integer(0, 0), let last = result.integer(0, 1), largest > last else { return }
            try body(
                ContentProblem(
                    Diagnostic(
                        .storeLayout,
                        "the largest key is \(largest), and the sequence \(table.sequence) gives \(last + 1) next; Granary moves "
                            + "it forward, other programs get an error", severity: .warning, entity: entity.name),
                    table: table.name))
        }
    }
#endif
