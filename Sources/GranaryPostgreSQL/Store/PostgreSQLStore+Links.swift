#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLStore {
        func readLinks(
            of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
        ) throws {
            guard relationship.isToMany, let query = linkQuery(relationship, hasOwners: owners != nil) else { return }
            if let owners, owners.isEmpty { return }
            let names = Dictionary(
                uniqueKeysWithValues: schema.entities[schema.entities[relationship.destination].root].family.map {
                    (schema.entities[$0].name, $0)
                })
            func link(_ result: PostgreSQLResult, _ row: Int) throws -> Link {
                guard let owner = result.integer(row, 0), let destination = result.integer(row, 2),
                    let entity = result.text(row, 1).flatMap({ names[$0] })
                else {
                    throw GranaryError(
                        Diagnostic(
                            .storeCorrupt, "\(source): a link of \(relationship.name) has no valid object",
                            entity: schema.entities[relationship.owner].name, property: relationship.name))
                }
                return Link(owner: owner, entity: entity, destination: destination)
            }
            let parameters = owners.map { SQLParameters(list: Set($0)) } ?? SQLParameters()
            try reading {
                try connection.forEachRow(query, parameters) { result, row in
                    try body(try link(result, row))
                    return true
                }
            }
        }

        /// The query for owners, entities of members and members. Members without a place come last, sorted by their keys.
        private func linkQuery(_ relationship: Schema.Relationship, hasOwners: Bool) -> String? {
            let source: String
            let (owner, member): (String, String)
            var order: String?
            switch layout.place(of: relationship) {
            case .reference(let index, let column, let place)?:
                let table = layout.tables[index]
                owner = "t.\(SQLIdentifier.quoted(table.columns[column].name))"
                member = "t.\(Self.key)"
                order = place.map { "t.\(SQLIdentifier.quoted(table.columns[$0].name))" }
                source = "\(layout.qualified(table.name)) t"
            case .join(let index, let isForward)?:
                let join = layout.joinTables[index]
                (owner, member) = isForward ? ("j.owner", "j.member") : ("j.member", "j.owner")
                if isForward ? join.hasMemberOrder : join.hasOwnerOrder {
                    order = "j.\(isForward ? JoinTable.memberOrder : JoinTable.ownerOrder)"
                }
                let objects = layout.qualified(layout.table(of: relationship.destination).name)
                source = "\(layout.qualified(join.name)) j JOIN \(objects) t ON t.\(Self.key) = \(member)"
            case nil: return nil
            }
            let sort = [owner] + [order].compactMap { $0.map { "\($0) NULLS LAST" } } + [member]
            return "SELECT \(owner), t.\(Self.entity), \(member) FROM \(source) WHERE "
                + (hasOwners ? "\(owner) = ANY($1)" : "\(owner) IS NOT NULL")
                + " ORDER BY \(sort.joined(separator: ", "))"
        }

        func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int {
            guard !relationship.isToMany, let inverse = relationship.inverse else { return 0 }
            let mirror = schema.entities[inverse.owner].relationships[inverse.relationship]
            let (own, other) = (layout.table(of: relationship.owner), layout.table(of: mirror.owner))
            // Foreign keys ensure that the object exists.
            guard !mirror.isToMany, let place = own.column(of: relationship.owner, slot: relationship.slot),
                let back = other.column(of: mirror.owner, slot: mirror.slot)
            else { return 0 }
            let sql =
                "SELECT count(*) FROM \(layout.qualified(own.name)) o JOIN \(layout.qualified(other.name)) d ON d.\(Self.key) = "
                + "o.\(SQLIdentifier.quoted(own.columns[place].name)) WHERE "
                + "d.\(SQLIdentifier.quoted(other.columns[back].name)) IS DISTINCT FROM o.\(Self.key)"
            return try translating { Int(clamping: try connection.query(sql).integer(0, 0) ?? 0) }
        }
    }
#endif
