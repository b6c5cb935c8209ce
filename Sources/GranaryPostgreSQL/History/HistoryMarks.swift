#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    /// The queries that find changed objects and their changed properties, in the rows of a statement: root entity, entity,
    /// key and names of properties.
    ///
    /// As in Core Data, both ends of a link count as changed: an object that joins or leaves a list changes the list's owner.
    struct HistoryMarks {
        private let layout: StoreLayout
        private let schema: Schema

        private var key: String { PostgreSQLStore.key }
        private var entity: String { PostgreSQLStore.entity }

        init(_ layout: StoreLayout, _ schema: Schema) {
            self.layout = layout
            self.schema = schema
        }

        /// The lists that new rows join.
        func inserting(_ table: EntityTable, _ rows: String) -> [String] {
            references(of: table).map { column, list in
                mark(list, "\(rows) n", key: "n.\(quoted(column))")
            }
        }

        /// The lists that deleted rows leave.
        func deleting(_ table: EntityTable, _ rows: String) -> [String] {
            references(of: table).map { column, list in
                mark(list, "\(rows) o", key: "o.\(quoted(column))")
            }
        }

        /// The changed rows, and the lists that they join or leave or in which they have another place. A derived
        /// attribute is no change.
        func updating(_ table: EntityTable, _ old: String, _ new: String) -> [String] {
            var names: [String] = []
            var columns: [String: [EntityTable.Column]] = [:]
            for column in table.columns where column.content != .order && !RowPlan.isDerived(column, schema) {
                let name = column.property.split(separator: ".").first.map(String.init) ?? column.property
                if columns[name] == nil { names.append(name) }
                columns[name, default: []].append(column)
            }
            let changed = names.map { name in
                let isOther = (columns[name] ?? []).map { "o.\(quoted($0)) IS DISTINCT FROM n.\(quoted($0))" }
                return "CASE WHEN \(isOther.joined(separator: " OR ")) THEN \(SQLIdentifier.literal(name)) END"
            }
            let rows = "\(old) o JOIN \(new) n ON n.\(key) = o.\(key)"
            let version = PostgreSQLStore.version
            let own = """
                SELECT \(root(table.root)), s.entity, s.object, s.properties FROM (
                    SELECT n.\(entity) AS entity, n.\(key) AS object, n.\(version) <> o.\(version) AS is_raised,
                        array_remove(ARRAY[\(changed.joined(separator: ", "))]::text[], NULL) AS properties
                    FROM \(rows)) s WHERE s.is_raised OR s.properties <> '{}'
                """
            let lists = references(of: table).map { column, list in
                let name = quoted(column)
                let isMoved = layout.order(of: column, in: table).map { order in
                    " OR o.\(SQLIdentifier.quoted(order)) <> n.\(SQLIdentifier.quoted(order))"
                }
                return mark(
                    list, "\(rows) CROSS JOIN LATERAL (VALUES (o.\(name)), (n.\(name))) v(key)", key: "v.key",
                    where: "o.\(name) IS DISTINCT FROM n.\(name)\(isMoved ?? "")")
            }
            return [own] + lists
        }

        func linking(_ join: JoinTable, _ rows: String) -> [String] {
            ends(of: join).map { column, list in mark(list, "\(rows) n", key: "n.\(column)") }
        }

        /// The deletion of a member of a relationship without an inverse does not change the owner.
        func unlinking(_ join: JoinTable, _ rows: String) -> [String] {
            let ends = ends(of: join)
            guard ends.count == 1, let (column, list) = ends.first else {
                return ends.map { column, list in mark(list, "\(rows) o", key: "o.\(column)") }
            }
            let members = layout.qualified(layout.table(of: join.memberRoot).name)
            return [
                mark(
                    list, "\(rows) o", key: "o.\(column)",
                    where: "EXISTS (SELECT FROM \(members) e WHERE e.\(key) = o.\(JoinTable.member))")
            ]
        }

        func reordering(_ join: JoinTable, _ old: String, _ new: String) -> [String] {
            let rows =
                "\(old) o JOIN \(new) n ON n.\(JoinTable.owner) = o.\(JoinTable.owner) AND n.\(JoinTable.member) = "
                + "o.\(JoinTable.member)"
            return ends(of: join).compactMap { column, list in
                let isOwner = column == JoinTable.owner
                guard isOwner ? join.hasMemberOrder : join.hasOwnerOrder else { return nil }
                let order = isOwner ? JoinTable.memberOrder : JoinTable.ownerOrder
                return mark(list, rows, key: "n.\(column)", where: "o.\(order) <> n.\(order)")
            }
        }

        // MARK: - Parts

        /// A list of the objects of an entity.
        private struct List {
            let name: String
            /// The index of the root entity of the owners.
            let root: Int
        }

        private func mark(_ list: List, _ rows: String, key column: String, where condition: String? = nil) -> String {
            let owners = layout.qualified(layout.table(of: list.root).name)
            return
                "SELECT \(root(list.root)), d.\(entity), d.\(key), ARRAY[\(SQLIdentifier.literal(list.name))] FROM \(rows) "
                + "JOIN \(owners) d ON d.\(key) = \(column)" + (condition.map { " WHERE \($0)" } ?? "")
        }

        /// The columns of to-one relationships whose inverse is a list.
        private func references(of table: EntityTable) -> [(EntityTable.Column, List)] {
            table.columns.compactMap { column in
                guard column.content == .reference,
                    let relationship = schema.entities[column.entity].relationships.first(where: {
                        $0.slot == column.slot
                    }), let mirror = inverse(of: relationship), mirror.isToMany
                else { return nil }
                return (column, List(name: mirror.name, root: schema.entities[relationship.destination].root))
            }
        }

        /// The columns of a join table with the owners of lists: one for a relationship without an inverse, otherwise two.
        private func ends(of join: JoinTable) -> [(String, List)] {
            let id = join.relationship
            guard let relationship = schema.entities[id.owner].relationships.first(where: { $0.slot == id.slot }) else {
                return []
            }
            let own = (JoinTable.owner, List(name: relationship.name, root: join.ownerRoot))
            guard let mirror = inverse(of: relationship) else { return [own] }
            return [own, (JoinTable.member, List(name: mirror.name, root: join.memberRoot))]
        }

        private func inverse(of relationship: Schema.Relationship) -> Schema.Relationship? {
            guard let inverse = relationship.inverse else { return nil }
            let mirror = schema.entities[inverse.owner].relationships[inverse.relationship]
            return mirror.isPersistent ? mirror : nil
        }

        private func root(_ index: Int) -> String { SQLIdentifier.literal(schema.entities[index].name) }

        private func quoted(_ column: EntityTable.Column) -> String { SQLIdentifier.quoted(column.name) }
    }
#endif
