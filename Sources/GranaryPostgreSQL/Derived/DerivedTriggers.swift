#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    /// The triggers that compute derived attributes, whoever changes the tables (docs/postgresql.md#derived-attributes).
    ///
    /// They run once for each statement and compute the values of all objects that it concerns again. A text function is
    /// Granary's: the triggers set its attribute to NULL, and ``PostgreSQLStore/completeDerivedTexts()`` computes it.
    struct DerivedTriggers {
        private let layout: StoreLayout
        private let schema: Schema
        private let items: [DerivedPlan.Item]

        private static let before = StatementTriggers.before
        private static let after = StatementTriggers.after
        private static let key = PostgreSQLStore.key

        init(_ layout: StoreLayout, _ schema: Schema) {
            self.layout = layout
            self.schema = schema
            items = DerivedPlan(schema: schema, layout: layout).computed
        }

        /// The setting that keeps given times of `now()` in a transaction.
        static let keepsTimes = "granary.keeps_times"

        /// The statements that create the functions and triggers.
        func creationSQL() -> [String] {
            var bodies = TableStatements()
            for item in items { add(item, to: &bodies) }
            return (layout.tables.map(\.name) + layout.joinTables.map(\.name)).flatMap { table in
                StatementTriggers(layout: layout, infix: "derived ").creationSQL(on: table, bodies[table] ?? [:])
            }
        }

        /// The statements that compute the values of all rows, without text functions. The triggers compute what is derived
        /// from these values.
        func computationSQL() -> [String] {
            items.compactMap { item in
                if case .now = item.source {
                    guard let column = column(item.attribute) else { return nil }
                    return
                        "UPDATE \(table(of: item)) t SET \(column.name) = \(Self.now) WHERE t.\(column.name) IS NULL\(restriction(item))"
                }
                return update(item, keys: nil)
            }
        }

        private typealias TableStatements = [String: [String: [String]]]

        private static let now = "extract(epoch FROM clock_timestamp())::double precision - 978307200"

        // MARK: - Statements

        private func add(_ item: DerivedPlan.Item, to bodies: inout TableStatements) {
            let own = layout.table(of: item.entity.index)
            func add(_ operation: String, on table: String, _ statement: String?) {
                if let statement { bodies[table, default: [:]][operation, default: []].append(statement) }
            }
            func updated(_ condition: String) -> String {
                "SELECT n.\(Self.key) FROM \(Self.before) o JOIN \(Self.after) n ON n.\(Self.key) = o.\(Self.key) WHERE \(condition)"
            }
            let inserted = "SELECT n.\(Self.key) FROM \(Self.after) n"
            switch item.source {
            case .now:
                let condition = "current_setting('\(Self.keepsTimes)', true) IS DISTINCT FROM 'on'"
                let version = PostgreSQLStore.version
                add("INSERT", on: own.name, update(item, keys: inserted, where: condition))
                add("UPDATE", on: own.name, update(item, keys: updated("o.\(version) <> n.\(version)")))
            case .own(let source, _):
                guard let column = column(source) else { return }
                add("INSERT", on: own.name, update(item, keys: inserted))
                add("UPDATE", on: own.name, update(item, keys: updated(Self.differ(column.name))))
            case .toOne(let relationship, let source, _):
                guard let reference = reference(relationship), let column = column(source) else { return }
                add("INSERT", on: own.name, update(item, keys: inserted))
                add("UPDATE", on: own.name, update(item, keys: updated(Self.differ(reference))))
                let other = layout.table(of: relationship.destination).name
                func referrers(_ rows: String, _ condition: String = "") -> String {
                    "SELECT x.\(Self.key) FROM \(layout.qualified(own.name)) x JOIN \(rows) ON x.\(reference) = n.\(Self.key)\(condition)"
                }
                add("INSERT", on: other, update(item, keys: referrers("\(Self.after) n")))
                add(
                    "UPDATE", on: other,
                    update(
                        item,
                        keys: referrers(
                            "\(Self.after) n",
                            " JOIN \(Self.before) o ON o.\(Self.key) = n.\(Self.key) WHERE \(Self.differ(column.name))")
                    ))
            case .aggregate(let aggregate, let relationship, let source):
                guard let links = links(of: relationship) else { return }
                let changed = source.flatMap { column($0) }.map { Self.differ($0.name) }
                if let additions = additions(item, aggregate, links, source, changed) {
                    for (table, operation, rows) in additions { add(operation, on: table, self.addition(item, rows)) }
                } else {
                    for (table, operation, keys) in links.changes(of: changed) {
                        add(operation, on: table, update(item, keys: keys))
                    }
                }
                // This update runs after the additions, because a statement can insert an object and its members.
                add("INSERT", on: own.name, update(item, keys: inserted))
            }
        }

        /// What the changes of a statement add to a count or to a sum that is exact, so that a batch that changes a large list
        /// does not read the list.
        private func additions(
            _ item: DerivedPlan.Item, _ aggregate: DerivedExpression.Aggregate, _ links: DerivedLinks,
            _ source: Schema.Attribute?, _ changed: String?
        ) -> [(table: String, operation: String, rows: String)]? {
            guard let source else { return links.additions(of: nil, changed: nil) }
            let fractions: [SQLType] = [.doublePrecision, .real]
            guard aggregate == .sum, let column = column(source), let target = self.column(item.attribute),
                !fractions.contains(column.type), !fractions.contains(target.type)
            else { return nil }
            let type = column.type == .boolean ? "::integer" : ""
            // Negative numbers of the smallest types do not fit them.
            return links.additions(of: { "(\($0).\(column.name))\(type)::numeric" }, changed: changed)
        }

        private func addition(_ item: DerivedPlan.Item, _ rows: String) -> String? {
            column(item.attribute).map { target in
                "UPDATE \(table(of: item)) t SET \(target.name) = (t.\(target.name) + d.value)::\(target.type.name) FROM (\(rows)) d "
                    + "WHERE t.\(Self.key) = d.key AND d.value <> 0\(restriction(item))"
            }
        }

        private static func differ(_ column: String) -> String { "o.\(column) IS DISTINCT FROM n.\(column)" }

        /// The statement that computes the values of the objects with some keys; nil means all.
        private func update(_ item: DerivedPlan.Item, keys: String?, where condition: String? = nil) -> String? {
            guard let target = column(item.attribute) else { return nil }
            let name = target.name
            let tableName = table(of: item)
            let chosen = keys.map { " AND t.\(Self.key) IN (\($0))" } ?? ""
            let more = (condition.map { " AND \($0)" } ?? "") + restriction(item)
            func set(_ value: String, from joins: String = "") -> String {
                "UPDATE \(tableName) t SET \(name) = v.value FROM (SELECT t.\(Self.key) AS key, \(value) AS value FROM "
                    + "\(tableName) t\(joins) WHERE true\(chosen)\(restriction(item))) v WHERE t.\(Self.key) = v.key AND t.\(name) IS "
                    + "DISTINCT FROM v.value"
            }
            switch item.source {
            case .now: return "UPDATE \(tableName) t SET \(name) = \(Self.now) WHERE true\(chosen)\(more)"
            case .own(_, .some), .toOne(_, _, .some):
                return "UPDATE \(tableName) t SET \(name) = NULL WHERE t.\(name) IS NOT NULL\(chosen)\(more)"
            case .own(let source, nil):
                guard let column = column(source) else { return nil }
                return set(Self.cast("t.\(column.name)", column.type, target.type))
            case .toOne(let relationship, let source, nil):
                guard let reference = reference(relationship), let column = column(source) else { return nil }
                let other = layout.qualified(layout.table(of: relationship.destination).name)
                return set(
                    Self.cast("d.\(column.name)", column.type, target.type),
                    from: " LEFT JOIN \(other) d ON d.\(Self.key) = t.\(reference)")
            case .aggregate(let aggregate, let relationship, let source):
                guard let links = links(of: relationship) else { return nil }
                let value: String
                if let source {
                    guard let column = column(source) else { return nil }
                    value = Self.call(aggregate, "m.\(column.name)", column.type, target.type)
                } else {
                    value = "count(*)::\(target.type.name)"
                }
                let isZero = aggregate == .count || aggregate == .sum
                return set(
                    isZero ? "coalesce(g.value, 0)::\(target.type.name)" : "g.value",
                    from:
                        " LEFT JOIN (SELECT \(links.owner) AS key, \(value) AS value FROM \(links.rows(hasMembers: source != nil)) "
                        + "WHERE \(links.owner) \(keys.map { "IN (\($0))" } ?? "IS NOT NULL") GROUP BY 1) g ON g.key = t.\(Self.key)"
                )
            }
        }

        private func table(of item: DerivedPlan.Item) -> String {
            layout.qualified(layout.table(of: item.entity.index).name)
        }

        /// The condition that selects rows of the attribute's entity.
        private func restriction(_ item: DerivedPlan.Item) -> String {
            guard item.entity.superentity != nil else { return "" }
            return " AND t.\(PostgreSQLStore.entity) IN (\(layout.names(of: item.entity.family, schema)))"
        }

        private func column(_ attribute: Schema.Attribute) -> (name: String, type: SQLType)? {
            let table = layout.table(of: attribute.owner)
            return table.column(of: attribute.owner, slot: attribute.slot).map { place in
                (SQLIdentifier.quoted(table.columns[place].name), table.columns[place].type)
            }
        }

        private func reference(_ relationship: Schema.Relationship) -> String? {
            let table = layout.table(of: relationship.owner)
            return table.column(of: relationship.owner, slot: relationship.slot).map {
                SQLIdentifier.quoted(table.columns[$0].name)
            }
        }

        private func links(of relationship: Schema.Relationship) -> DerivedLinks? {
            DerivedLinks(relationship, layout)
        }

        // MARK: - Values

        /// A value of another column. Text is the shortest form of a floating-point number; numeric would round it.
        private static func cast(_ value: String, _ source: SQLType, _ target: SQLType) -> String {
            switch (source, target) {
            case _ where source == target: value
            case (.boolean, _): "(\(value))::integer::\(target.name)"
            case (.doublePrecision, .numeric), (.real, .numeric): "(\(value))::text::numeric"
            default: "(\(value))::\(target.name)"
            }
        }

        private static func call(
            _ aggregate: DerivedExpression.Aggregate, _ value: String, _ source: SQLType, _ target: SQLType
        ) -> String {
            let number =
                source == .boolean ? "(\(value))::integer" : source == .real ? "(\(value))::double precision" : value
            let isFraction = source == .doublePrecision || source == .real
            let type: SQLType = isFraction ? .doublePrecision : .numeric
            switch aggregate {
            case .count: return "count(\(value))::\(target.name)"
            case .sum: return "coalesce(\(cast("sum(\(number))", type, target)), 0)"
            case .average: return cast("sum(\(number))::double precision / count(\(value))", .doublePrecision, target)
            case .min, .max:
                let text = source == .text ? " COLLATE \"C\"" : ""
                let type: SQLType = source == .boolean ? .integer : source == .real ? .doublePrecision : source
                return cast("\(aggregate.rawValue)(\(number)\(text))", type, target)
            }
        }
    }
#endif
