import GranaryCoordination
package import GranaryModel

/// The indexes of a store (sqlite-layout §7).
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
        package let sql: String
    }

    func statements() -> [String] { wanted().map(\.sql) }

    package func wanted() -> [Wanted] {
        var result: [Wanted] = []
        // In SQLite, indexes and tables share a namespace.
        var names = UniqueNames(
            taken: StoreLayout.bookkeepingTables + layout.tables.map(\.name) + layout.joinTables.map(\.name))
        let joins = Dictionary(grouping: layout.joinTables) { layout.tableOfEntity[$0.entity] }
        for (place, table) in layout.tables.enumerated() {
            let root = schema.entities[table.root]
            var indexes = foreignKeyIndexes(of: table)
            if root.hasSubentities { indexes.append(Index(name: "\(table.name)_Z_ENT_INDEX", columns: ["Z_ENT"])) }
            for entity in schema.entities[root.family] { indexes += fetchIndexes(of: entity) }
            for entity in schema.entities[root.family] { indexes += compoundIndexes(of: entity, table: table) }
            for entity in schema.entities[root.family] { indexes += uniqueIndexes(of: entity) }
            for index in indexes { result.append(index.wanted(on: table.name, named: names.take(index.name))) }
            for join in joins[place] ?? [] {
                let index = Index(
                    name: "\(join.name)_\(join.secondColumn)_INDEX", columns: [join.secondColumn, join.firstColumn])
                result.append(index.wanted(on: join.name, named: names.take(index.name)))
            }
        }
        return result
    }

    private struct Index {
        let name: String
        /// The columns, with their collation and direction if given.
        let columns: [String]
        var isUnique = false

        func wanted(on table: String, named name: String) -> Wanted {
            Wanted(
                name: name, table: table,
                columns: columns.map { $0.split(separator: " ").first.map(String.init) ?? $0 }, isUnique: isUnique,
                sql: "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) "
                    + "(\(columns.joined(separator: ", ")))")
        }
    }

    private func foreignKeyIndexes(of table: EntityTable) -> [Index] {
        table.columns.compactMap { column in
            switch column.content {
            case .reference, .owner: Index(name: "\(table.name)_\(column.name)_INDEX", columns: [column.name])
            case .attribute, .referenceEntity, .order: nil
            }
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

    /// The fetch indexes, and an index for each attribute with the older `indexed` flag.
    private func fetchIndexes(of entity: Schema.Entity) -> [Index] {
        let named = entity.description.fetchIndexes
        // Compiled models set the flag for every attribute that has its own fetch index, whatever the index's name.
        // Such an attribute gets no second index: framework 1338 creates only `Z_HTTPSExcludedDomain_domainIndex`.
        let covered = Set(named.filter { $0.elements.count == 1 }.compactMap { $0.elements.first?.propertyName })
        let known = Set(named.map(\.name)).union(covered)
        let flagged = entity.description.attributes.filter {
            $0.isIndexed && !$0.isTransient && !known.contains($0.name)
        }.map { FetchIndexDescription(name: $0.name, elements: [.init(propertyName: $0.name)]) }
        return (flagged + named).compactMap { index in
            // No real store with an R-tree, expression or partial index is known. Leaving an index out changes no
            // result.
            guard index.partialIndexPredicate == nil, index.elements.allSatisfy({ $0.kind == .binary }) else {
                return nil
            }
            // The foreign key already has an index.
            if index.elements.count == 1, entity.relationship(named: index.elements[0].propertyName ?? "") != nil {
                return nil
            }
            var columns: [String] = []
            for element in index.elements {
                guard let name = element.propertyName, let column = layout.column(ofProperty: name, in: entity) else {
                    return nil
                }
                columns.append("\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
            }
            return columns.isEmpty ? nil : Index(name: "Z_\(entity.name)_\(index.name)", columns: columns)
        }
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

/// Makes names unique: the first keeps its name, later ones get 1, 2, 3 … (sqlite-layout §4.3).
struct UniqueNames {
    private var taken: Set<[UInt8]>
    private var counts: [String: Int] = [:]

    init(taken: [String] = []) {
        self.taken = Set(taken.map(Self.folded))
    }

    mutating func take(_ name: String) -> String {
        var candidate = name
        while !taken.insert(Self.folded(candidate)).inserted {
            let count = (counts[name] ?? 0) + 1
            counts[name] = count
            candidate = name + String(count)
        }
        return candidate
    }

    /// SQLite compares names by bytes and ignores the case of ASCII letters.
    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }
    }
}
