#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    /// How the rows of one table are read and written, computed once from the layout.
    struct RowPlan: Sendable {
        /// A column of a result and the part of a row that it is.
        struct Field: Sendable {
            /// The index of the column in the result.
            let index: Int
            let slot: Int
            let type: SQLType
            let attribute: AttributeType?
            /// For a reference, the declared destination, and the index of the column with the name of the entity if several
            /// are possible.
            let destination: Int
            let entityIndex: Int?
        }

        let table: EntityTable
        let root: Int
        /// `SELECT columns FROM table t …`
        let select: String
        /// The fields of each entity of the hierarchy.
        let fields: [[Field]]
        /// The columns that COPY and INSERT name, after the key, the entity and the version.
        let written: [EntityTable.Column]
        /// For each entity of the hierarchy, the slot of each written column; nil if the entity does not have the column.
        let writtenSlots: [[Int?]]
        let copy: String
        let insert: String
        /// For each entity, the statement and the columns. Parameters: key, version, then the columns.
        let updates: [Update]

        struct Update: Sendable {
            let sql: String
            /// The statement for several rows, whose parameters are arrays of the same values.
            let together: String
            let columns: [EntityTable.Column]
        }

        init(_ table: EntityTable, _ layout: StoreLayout, _ schema: Schema) {
            self.table = table
            root = table.root
            let family = schema.entities[table.root].family
            let name = layout.qualified(table.name)
            let base = [EntityTable.key, EntityTable.entity, EntityTable.version].map(SQLIdentifier.quoted)
            let columns = table.columns.filter { $0.content != .order }
            var list = base.map { "t.\($0)" } + columns.map { "t.\(SQLIdentifier.quoted($0.name))" }
            var joins = ""
            var entityIndexes: [Int: Int] = [:]
            for (place, column) in columns.enumerated() where column.content == .reference {
                let relationship = schema.entities[column.entity].relationships.first { $0.slot == column.slot }
                guard let relationship, schema.entities[relationship.destination].hasSubentities else { continue }
                entityIndexes[place] = list.count
                let other = layout.qualified(layout.table(of: relationship.destination).name)
                joins +=
                    " LEFT JOIN \(other) r\(place) ON r\(place).\(base[0]) = t.\(SQLIdentifier.quoted(column.name))"
                list.append("r\(place).\(base[1])")
            }
            select = "SELECT \(list.joined(separator: ", ")) FROM \(name) t\(joins)"
            fields = family.map { entity in
                columns.enumerated().compactMap { place, column -> Field? in
                    guard schema.entity(entity, isKindOf: column.entity) else { return nil }
                    let attribute: AttributeType? = if case .attribute(let type) = column.content { type } else { nil }
                    let relationship = schema.entities[entity].relationships.first { $0.slot == column.slot }
                    return Field(
                        index: place + 3, slot: column.slot, type: column.type, attribute: attribute,
                        destination: relationship?.destination ?? 0, entityIndex: entityIndexes[place])
                }
            }
            written = columns
            writtenSlots = family.map { entity in
                columns.map { column in
                    guard schema.entity(entity, isKindOf: column.entity) else { return nil }
                    return Self.isComputed(column, schema) ? nil : column.slot
                }
            }
            let names = (base + columns.map { SQLIdentifier.quoted($0.name) })
            copy = "COPY \(name) (\(names.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
            let marks = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            insert = "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(marks))"
            updates = family.map { entity in
                let own = columns.filter { schema.entity(entity, isKindOf: $0.entity) && !Self.isDerived($0, schema) }
                func assignments(_ value: (Int) -> String) -> String {
                    var list = ["\(base[2]) = \(value(2))"]
                    for (place, column) in own.enumerated() {
                        let quoted = SQLIdentifier.quoted(column.name)
                        let new = value(place + 3)
                        list.append("\(quoted) = \(new)")
                        // An object that joins another list has no position in it yet.
                        guard column.content == .reference, let order = layout.order(of: column, in: table) else {
                            continue
                        }
                        let name = SQLIdentifier.quoted(order)
                        list.append("\(name) = CASE WHEN t.\(quoted) IS NOT DISTINCT FROM \(new) THEN t.\(name) END")
                    }
                    return list.joined(separator: ", ")
                }
                let numbers = (1...own.count + 2)
                let values = numbers.map { "v\($0)" }.joined(separator: ", ")
                return Update(
                    sql: "UPDATE \(name) t SET \(assignments { "$\($0)" }) WHERE t.\(base[0]) = $1",
                    together: "UPDATE \(name) t SET \(assignments { "s.v\($0)" }) FROM "
                        + "unnest(\(numbers.map { "$\($0)" }.joined(separator: ", "))) s(\(values)) WHERE t.\(base[0]) = s.v1",
                    columns: own)
            }
        }

        /// Whether the given value of a new row is ignored. The time of a save is kept in a copy of a store.
        private static func isComputed(_ column: EntityTable.Column, _ schema: Schema) -> Bool {
            guard isDerived(column, schema) else { return false }
            let attribute = schema.entities[column.entity].attributes.first { $0.slot == column.slot }
            let expression = attribute?.description.derivationExpression.flatMap(DerivedExpression.parse)
            return expression != .now || attribute?.type != .date
        }

        /// Whether a column has the value of a derived attribute.
        static func isDerived(_ column: EntityTable.Column, _ schema: Schema) -> Bool {
            guard case .attribute = column.content else { return false }
            let attribute = schema.entities[column.entity].attributes.first { $0.slot == column.slot }
            return attribute?.description.derivationExpression != nil
        }
    }
#endif
