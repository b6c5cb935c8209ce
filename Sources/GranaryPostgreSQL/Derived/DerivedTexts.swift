#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// The derived attributes with text functions. The server folds texts differently, so Granary computes them: triggers set
    /// them to NULL when the text behind them changes.
    struct DerivedTexts: Sendable {
        struct Item: Sendable {
            let function: DerivedExpression.TextFunction
            /// Finds objects without their value, at most ``rowsAtOnce``: the key and the text.
            let select: String
            let update: String
            /// The index that finds them.
            let index: String
        }

        let items: [Item]

        static let rowsAtOnce = 1_000

        init(_ layout: StoreLayout, _ schema: Schema) {
            let key = PostgreSQLStore.key
            items = DerivedPlan(schema: schema, layout: layout).computed.compactMap { item in
                let table = layout.table(of: item.entity.index)
                let name = layout.qualified(table.name)
                func column(_ owner: Int, _ slot: Int) -> String? {
                    layout.table(of: owner).column(of: owner, slot: slot).map {
                        SQLIdentifier.quoted(layout.table(of: owner).columns[$0].name)
                    }
                }
                guard let target = column(item.attribute.owner, item.attribute.slot) else { return nil }
                let kinds =
                    item.entity.superentity == nil
                    ? "" : " AND t.\(PostgreSQLStore.entity) IN (\(layout.names(of: item.entity.family, schema)))"
                let function: DerivedExpression.TextFunction
                let rows: String
                let present: String
                switch item.source {
                case .own(let source, let used?):
                    guard let column = column(source.owner, source.slot) else { return nil }
                    (function, present) = (used, column)
                    rows = "t.\(column) FROM \(name) t WHERE t.\(column) IS NOT NULL"
                case .toOne(let relationship, let source, let used?):
                    guard let reference = column(relationship.owner, relationship.slot),
                        let column = column(source.owner, source.slot)
                    else { return nil }
                    (function, present) = (used, reference)
                    let other = layout.qualified(layout.table(of: relationship.destination).name)
                    rows =
                        "d.\(column) FROM \(name) t JOIN \(other) d ON d.\(key) = t.\(reference) WHERE t.\(reference) IS NOT NULL AND "
                        + "d.\(column) IS NOT NULL"
                default: return nil
                }
                return Item(
                    function: function,
                    select: "SELECT t.\(key), \(rows) AND t.\(target) IS NULL\(kinds) LIMIT \(Self.rowsAtOnce)",
                    update:
                        "UPDATE \(name) t SET \(target) = v.value FROM unnest($1, $2) v(key, value) WHERE t.\(key) = v.key",
                    index: "CREATE INDEX ON \(name) (\(key)) WHERE \(target) IS NULL AND \(present) IS NOT NULL")
            }
        }
    }
#endif
