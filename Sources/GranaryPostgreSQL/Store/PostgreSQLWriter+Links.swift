#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLWriter {
        func setLinks(
            _ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]
        ) throws {
            // Each object once, at its first position.
            var seen: Set<Int64> = []
            let members = destinations.map(\.destination).filter { seen.insert($0).inserted }
            if !defersKeys { try store.completeAllKeys() }
            switch layout.place(of: relationship) {
            case .reference(let table, _, _)?:
                try store.completeKeys(ofTable: table)
                try changes.set(relationship, owner: owner, members: members)
            case .join(let index, let isForward)?:
                try store.completeKeys(ofJoin: index)
                if layout.joinTables[index].isReflexive {
                    // A list changes the lists of other objects, so the order of the changes matters.
                    try setReflexive(layout.joinTables[index], isForward, owner, members)
                } else {
                    try changes.set(relationship, owner: owner, members: members)
                }
            case nil: break
            }
        }

        /// Replaces lists of a relationship.
        func write(_ lists: ChangeQueue.Lists, of relationship: Schema.Relationship) throws {
            // An object that can be in one list only is in the last one that names it.
            func last() -> [ChangeQueue.Member] {
                let places = Dictionary(lists.members.enumerated().map { ($1.member, $0) }) { $1 }
                return lists.members.enumerated().filter { places[$1.member] == $0 }.map(\.element)
            }
            switch layout.place(of: relationship) {
            case .reference(let table, let column, let order)?:
                try setReferences(layout.tables[table], column, order, parameters(lists.owners, last()))
            case .join(let index, let isForward)?:
                let join = layout.joinTables[index]
                try setJoin(join, isForward, parameters(lists.owners, join.isExclusive ? last() : lists.members))
            case nil: break
            }
        }

        /// The owners, and the owners, members and places of all links.
        private func parameters(_ owners: [Int64], _ members: [ChangeQueue.Member]) -> SQLParameters {
            var parameters = SQLParameters(list: owners)
            parameters.add(list: members.map(\.owner))
            parameters.add(list: members.map(\.member))
            parameters.add(list: members.map(\.place))
            return parameters
        }

        private static let links = "unnest($2, $3, $4) m(owner, member, place)"

        /// Lists stored in a to-one reference of their members.
        private func setReferences(
            _ table: EntityTable, _ column: Int, _ order: Int?, _ parameters: SQLParameters
        ) throws {
            let (name, key) = (layout.qualified(table.name), PostgreSQLStore.key)
            let reference = SQLIdentifier.quoted(table.columns[column].name)
            let place = order.map { SQLIdentifier.quoted(table.columns[$0].name) }
            try connection.run(
                "UPDATE \(name) t SET \(reference) = NULL\(place.map { ", \($0) = NULL" } ?? "") WHERE \(reference) = ANY($1) "
                    + "AND NOT EXISTS (SELECT FROM \(Self.links) WHERE m.owner = t.\(reference) AND m.member = t.\(key))",
                parameters)
            let assignments = "\(reference) = m.owner" + (place.map { ", \($0) = m.place" } ?? "")
            let changed =
                "t.\(reference) IS DISTINCT FROM m.owner"
                + (place.map { " OR t.\($0) IS DISTINCT FROM m.place" } ?? "")
            try connection.run(
                "UPDATE \(name) t SET \(assignments) FROM \(Self.links) "
                    + "WHERE t.\(key) = m.member AND (\(changed))", parameters)
        }

        private func setJoin(_ join: JoinTable, _ isForward: Bool, _ parameters: SQLParameters) throws {
            let name = layout.qualified(join.name)
            let own = isForward ? JoinTable.owner : JoinTable.member
            let other = isForward ? JoinTable.member : JoinTable.owner
            let hasOrder = isForward ? join.hasMemberOrder : join.hasOwnerOrder
            let order = isForward ? JoinTable.memberOrder : JoinTable.ownerOrder
            try connection.run(
                "DELETE FROM \(name) j WHERE j.\(own) = ANY($1) AND NOT EXISTS "
                    + "(SELECT FROM \(Self.links) WHERE m.owner = j.\(own) AND m.member = j.\(other))", parameters)
            // An object without an inverse relationship leaves its other owner.
            if join.isExclusive {
                try connection.run(
                    "DELETE FROM \(name) j USING \(Self.links) "
                        + "WHERE j.\(other) = m.member AND j.\(own) <> m.owner", parameters)
            }
            let columns = "\(own), \(other)" + (hasOrder ? ", \(order)" : "")
            try connection.run(
                "INSERT INTO \(name) AS j (\(columns)) SELECT m.owner, m.member\(hasOrder ? ", m.place" : "") "
                    + "FROM \(Self.links) ON CONFLICT (\(JoinTable.owner), \(JoinTable.member)) DO "
                    + (hasOrder
                        ? "UPDATE SET \(order) = excluded.\(order) WHERE j.\(order) IS DISTINCT FROM excluded.\(order)"
                        : "NOTHING"),
                parameters)
        }

        /// The list of a relationship that is its own inverse: a link has a row for each direction.
        private func setReflexive(_ join: JoinTable, _ isForward: Bool, _ owner: Int64, _ members: [Int64]) throws {
            let name = layout.qualified(join.name)
            let own = isForward ? JoinTable.owner : JoinTable.member
            let other = isForward ? JoinTable.member : JoinTable.owner
            let hasOrder = isForward ? join.hasMemberOrder : join.hasOwnerOrder
            let order = isForward ? JoinTable.memberOrder : JoinTable.ownerOrder
            var list = SQLParameters(owner)
            list.add(list: members)
            try connection.run("DELETE FROM \(name) WHERE \(own) = $1 AND \(other) <> ALL($2)", list)
            try connection.run("DELETE FROM \(name) WHERE \(other) = $1 AND \(own) <> ALL($2)", list)
            guard !members.isEmpty else { return }
            let columns = "\(own), \(other)" + (hasOrder ? ", \(order)" : "")
            try connection.run(
                "INSERT INTO \(name) AS j (\(columns)) SELECT $1, m.member\(hasOrder ? ", m.place" : "") "
                    + "FROM unnest($2) WITH ORDINALITY m(member, place) ON CONFLICT (\(JoinTable.owner), \(JoinTable.member)) DO "
                    + (hasOrder
                        ? "UPDATE SET \(order) = excluded.\(order) WHERE j.\(order) IS DISTINCT FROM excluded.\(order)"
                        : "NOTHING"),
                list)
            try connection.run(
                "INSERT INTO \(name) (\(own), \(other)) SELECT m.member, $1 FROM unnest($2) m(member) ON CONFLICT DO NOTHING",
                list)
        }

        func addLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
            guard case .join(let index, let isForward)? = layout.place(of: relationship),
                !layout.joinTables[index].isReflexive, !layout.joinTables[index].isExclusive
            else { return try setLinksOfEach(relationship, links, ownerEntity: ownerEntity) }
            let join = layout.joinTables[index]
            let hasOrder = isForward ? join.hasMemberOrder : join.hasOwnerOrder
            let order = isForward ? JoinTable.memberOrder : JoinTable.ownerOrder
            let columns = [JoinTable.owner, JoinTable.member] + (hasOrder ? [order] : [])
            let sql =
                "COPY \(layout.qualified(join.name)) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
            var last: Int64?
            var place: Int64 = 0
            func append(_ link: Link, to buffer: inout FieldBuffer) {
                place = link.owner == last ? place + 1 : 1
                last = link.owner
                buffer.append(Int16(truncatingIfNeeded: columns.count))
                buffer.appendField(isForward ? link.owner : link.destination)
                buffer.appendField(isForward ? link.destination : link.owner)
                if hasOrder { buffer.appendField(place) }
            }
            if defersKeys, store.pendingKeys.joins[index] != nil {
                for link in links { try openStream(sql).add { append(link, to: &$0) } }
                return
            }
            if !defersKeys { try store.completeAllKeys() }
            try connection.copy(sql) { buffer, ended in
                for link in links {
                    append(link, to: &buffer)
                    try ended(&buffer)
                }
            }
        }

        func completeOrder() throws {
            for table in layout.tables {
                for column in table.columns where column.content == .order {
                    guard let reference = table.column(of: column.entity, slot: column.slot) else { continue }
                    try store.completeKeys(ofTable: layout.tableOfEntity[table.root])
                    try completeOrder(
                        layout.qualified(table.name), owner: SQLIdentifier.quoted(table.columns[reference].name),
                        member: PostgreSQLStore.key, order: SQLIdentifier.quoted(column.name))
                }
            }
            for (index, join) in layout.joinTables.enumerated() where join.hasMemberOrder || join.hasOwnerOrder {
                let name = layout.qualified(join.name)
                try store.completeKeys(ofJoin: index)
                if join.hasMemberOrder {
                    try completeOrder(
                        name, owner: JoinTable.owner, member: JoinTable.member, order: JoinTable.memberOrder)
                }
                if join.hasOwnerOrder {
                    try completeOrder(
                        name, owner: JoinTable.member, member: JoinTable.owner, order: JoinTable.ownerOrder)
                }
            }
        }

        private func completeOrder(_ table: String, owner: String, member: String, order: String) throws {
            try connection.execute(
                """
                UPDATE \(table) t SET \(order) = a.place FROM (
                    SELECT m.\(owner) AS owner, m.\(member) AS member,
                        coalesce((SELECT max(l.\(order)) FROM \(table) l WHERE l.\(owner) = m.\(owner)), 0)
                        + row_number() OVER (PARTITION BY m.\(owner) ORDER BY m.\(member)) AS place
                    FROM \(table) m WHERE m.\(owner) IS NOT NULL AND m.\(order) IS NULL) a
                WHERE t.\(owner) = a.owner AND t.\(member) = a.member
                """)
        }
    }
#endif
