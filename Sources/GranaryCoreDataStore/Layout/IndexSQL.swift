package import GranaryBase
import GranaryCoordination
package import GranaryModel

/// The indexes of a store (docs/core-data/sqlite-layout.md#indexes).
package struct IndexSQL {
    let schema: Schema
    let layout: StoreLayout

    package init(schema: Schema, layout: StoreLayout) {
        self.schema = schema
        self.layout = layout
    }

    /// An index that the model requires.
    package struct Wanted {
        package let name: String
        package let table: String
        package let columns: [String]
        package let isUnique: Bool
        /// Whether it contains the order column of a join table.
        package let hasOrderKey: Bool
        /// The condition of a partial index; nil if the index has all rows.
        package let condition: String?
        package let sql: String
    }

    /// Warnings about the fetch indexes of the model that are not created, with the reasons.
    package func omissions() -> [Diagnostic] {
        schema.entities.flatMap { entity in
            fetchIndexes(of: entity).compactMap { index, outcome in
                guard case .omitted(let reason) = outcome else { return nil }
                return Diagnostic(
                    .storeLayout,
                    "the index \"\(Diagnostic.shortened(index.name))\" is not created, since Core Data's statement for it is "
                        + "not known: \(Diagnostic.shortened(reason))", severity: .warning, entity: entity.name)
            }
        }
    }

    func statements() -> [String] { wanted().map(\.sql) }

    package func wanted() -> [Wanted] {
        var result: [Wanted] = []
        // In SQLite, indexes and tables share a namespace.
        var names = UniqueNames(
            taken: StoreLayout.bookkeepingTables + layout.tables.map(\.name) + layout.joinTables.map(\.name))
        let joins = Dictionary(grouping: layout.joinTables, by: \.entity)
        for table in layout.tables {
            let root = schema.entities[table.root]
            var indexes = foreignKeyIndexes(of: table)
            for join in joins[root.index] ?? [] { indexes += joinIndexes(of: join) }
            if root.hasSubentities, !UserInfoFlag.isSet("_NSEntityOmitSubentityColumnIndex", in: root.userInfo) {
                indexes.append(Index(name: "\(table.name)_Z_ENT_INDEX", columns: ["Z_ENT"]))
            }
            for entity in schema.entities[root.family] {
                if entity.index != root.index {
                    for join in joins[entity.index] ?? [] { indexes += joinIndexes(of: join) }
                }
                indexes += fetchIndexes(of: entity).compactMap { if case .index(let index) = $1 { index } else { nil } }
            }
            for entity in schema.entities[root.family] { indexes += compoundIndexes(of: entity, table: table) }
            for entity in schema.entities[root.family] { indexes += uniqueIndexes(of: entity) }
            for index in indexes {
                result.append(index.wanted(on: index.joinTable ?? table.name, named: names.take(index.name)))
            }
        }
        return result
    }

    private struct Index {
        let name: String
        /// The columns, with their collation and direction if given.
        let columns: [String]
        var isUnique = false
        /// The join table; nil for the table of the hierarchy.
        var joinTable: String?
        var hasOrderKey = false
        var condition: String?

        func wanted(on table: String, named name: String) -> Wanted {
            Wanted(
                name: name, table: table,
                columns: columns.map { $0.split(separator: " ").first.map(String.init) ?? $0 }, isUnique: isUnique,
                hasOrderKey: hasOrderKey,
                condition: condition,
                sql: "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) "
                    + "(\(columns.joined(separator: ", ")))" + (condition.map { " WHERE \($0)" } ?? ""))
        }
    }

    private func foreignKeyIndexes(of table: EntityTable) -> [Index] {
        table.columns.compactMap { column in
            switch column.content {
            case .reference, .owner: Index(name: "\(table.name)_\(column.name)_INDEX", columns: [column.name])
            case .attribute, .enumerationCase, .referenceEntity, .order: nil
            }
        }
    }

    private func joinIndexes(of join: JoinTable) -> [Index] {
        let second = Index(
            name: "\(join.name)_\(join.secondColumn)_INDEX", columns: [join.secondColumn, join.firstColumn],
            joinTable: join.name)
        return [second]
            + join.orderIndexes.map { columns in
                Index(
                    name: "\(join.name)_\(columns.joined(separator: "_"))_INDEX", columns: columns,
                    joinTable: join.name,
                    hasOrderKey: true)
            }
    }

    private func uniqueIndexes(of entity: Schema.Entity) -> [Index] {
        entity.uniquenessConstraints.filter { $0.owner == entity.index }.compactMap { constraint in
            let columns = constraint.names.compactMap { layout.column(ofProperty: $0, in: entity) }
            guard !columns.isEmpty, columns.count == constraint.names.count else { return nil }
            return Index(
                name: "Z_\(entity.name)_UNIQUE_\(constraint.names.map(Self.namePart).joined(separator: "_"))",
                columns: columns.map { "\($0) COLLATE BINARY ASC" }, isUnique: true)
        }
    }

    /// What becomes of a fetch index.
    private enum Outcome {
        case index(Index)
        /// Core Data creates no such index.
        case none
        /// The form of Core Data's statement is not known, for this reason.
        case omitted(String)
    }

    /// The fetch indexes, and an index for each attribute with the older `indexed` flag.
    private func fetchIndexes(of entity: Schema.Entity) -> [(index: FetchIndexDescription, outcome: Outcome)] {
        let named = entity.description.fetchIndexes
        // Compiled models set the flag for every attribute that has its own fetch index, whatever the index's name.
        // Such an attribute gets no second index: framework 1338 creates only `Z_HTTPSExcludedDomain_domainIndex`.
        let covered = Set(named.filter { $0.elements.count == 1 }.compactMap { $0.elements.first?.propertyName })
        let known = Set(named.map(\.name)).union(covered)
        let flagged = entity.description.attributes.filter {
            $0.isIndexed && !$0.isTransient && !known.contains($0.name)
        }.map { FetchIndexDescription(name: $0.name, elements: [.init(propertyName: $0.name)]) }
        return (flagged + named).map { ($0, outcome(of: $0, entity)) }
    }

    private func outcome(of index: FetchIndexDescription, _ entity: Schema.Entity) -> Outcome {
        var condition: String?
        if let text = index.partialIndexPredicate, !text.isEmpty {
            guard let predicate = index.parsedPredicate else { return .omitted("its predicate cannot be parsed") }
            switch PartialIndexSQL.condition(predicate, of: entity, layout: layout) {
            case .condition(let found): condition = found
            case .noProperty: return .none
            case .unknown(let reason): return .omitted("in its predicate \(reason)")
            }
        }
        if index.elements.contains(where: { $0.kind == .rTree }) { return .omitted("an element is an R-tree") }
        if index.elements.count == 1, entity.relationship(named: index.elements[0].propertyName ?? "") != nil {
            // The foreign key already has an index (372 of 372).
            return condition == nil ? .none : .omitted("its only element is a relationship, and it has a predicate")
        }
        var columns: [String] = []
        for element in index.elements {
            let column: String
            if let name = element.propertyName {
                guard let found = layout.column(ofProperty: name, in: entity) else { return .none }
                column = found
            } else {
                switch element.parsedExpression.flatMap(IndexedExpression.init) {
                case .object?: column = "Z_PK"
                case .entity?: column = "Z_ENT"
                case nil: return .omitted("the expression \(element.expression ?? "")")
                }
            }
            columns.append("\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
        }
        guard !columns.isEmpty else { return .none }
        return .index(Index(name: "Z_\(entity.name)_\(index.name)", columns: columns, condition: condition))
    }

    private func compoundIndexes(of entity: Schema.Entity, table: EntityTable) -> [Index] {
        // Compiled models repeat fetch indexes of several properties here; a store has them once (framework 1044).
        let named = Set(entity.description.fetchIndexes.map { $0.elements.compactMap(\.propertyName) })
        return entity.description.compoundIndexes.filter { !named.contains($0) }.compactMap { names in
            let columns = names.compactMap { layout.column(ofProperty: $0, in: entity) }
            guard columns.count == names.count, !columns.isEmpty else { return nil }
            return Index(name: "\(table.name)_\(columns.joined(separator: "_"))", columns: columns)
        }
    }

    /// Replaces the dots in a composite's path, which an unquoted name cannot contain.
    private static func namePart(_ property: String) -> String { property.replacing(".", with: "_") }
}
