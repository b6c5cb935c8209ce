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

    /// An index that a model asks for.
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
        // Indexes and tables share their names in SQLite.
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
        /// With their direction, where it is said.
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
            let columns = constraint.names.compactMap { column($0, of: entity) }
            guard !columns.isEmpty, columns.count == constraint.names.count else { return nil }
            return Index(
                name: "Z_\(entity.name)_UNIQUE_\(constraint.names.map(Self.namePart).joined(separator: "_"))",
                columns: columns.map { "\($0) COLLATE BINARY ASC" }, isUnique: true)
        }
    }

    /// The fetch indexes, and one for each attribute with the older flag.
    private func fetchIndexes(of entity: Schema.Entity) -> [Index] {
        let named = entity.description.fetchIndexes
        // Compiled models set the flag of every attribute that has a fetch index to itself, whatever its name: framework
        // 1338 makes `Z_HTTPSExcludedDomain_domainIndex` alone.
        let covered = Set(named.filter { $0.elements.count == 1 }.compactMap { $0.elements.first?.propertyName })
        let known = Set(named.map(\.name)).union(covered)
        let flagged = entity.description.attributes.filter {
            $0.isIndexed && !$0.isTransient && !known.contains($0.name)
        }.map { FetchIndexDescription(name: $0.name, elements: [.init(propertyName: $0.name)]) }
        return (flagged + named).compactMap { index in
            // Of an R-tree, an expression or a partial index no real store is known; writing none changes no result.
            guard index.partialIndexPredicate == nil, index.elements.allSatisfy({ $0.kind == .binary }) else {
                return nil
            }
            // The foreign key has its index already.
            if index.elements.count == 1, entity.relationship(named: index.elements[0].propertyName ?? "") != nil {
                return nil
            }
            var columns: [String] = []
            for element in index.elements {
                guard let name = element.propertyName, let column = column(name, of: entity) else { return nil }
                columns.append("\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
            }
            return columns.isEmpty ? nil : Index(name: "Z_\(entity.name)_\(index.name)", columns: columns)
        }
    }

    private func compoundIndexes(of entity: Schema.Entity, table: EntityTable) -> [Index] {
        // Compiled models repeat every fetch index of several properties here; a store has it once (framework 1044).
        let named = Set(entity.description.fetchIndexes.map { $0.elements.compactMap(\.propertyName) })
        return entity.description.compoundIndexes.filter { !named.contains($0) }.compactMap { names in
            let columns = names.compactMap { column($0, of: entity) }
            guard columns.count == names.count, !columns.isEmpty else { return nil }
            return Index(name: "\(table.name)_\(columns.joined(separator: "_"))", columns: columns)
        }
    }

    private func column(_ property: String, of entity: Schema.Entity) -> String? {
        if let attribute = entity.attribute(named: property) {
            return layout.column(entity: attribute.owner, slot: attribute.slot)
        }
        if let relationship = entity.relationship(named: property), !relationship.isToMany {
            return layout.column(entity: relationship.owner, slot: relationship.slot)
        }
        return nil
    }

    /// A composite's path has a dot, which an unquoted name cannot have.
    private static func namePart(_ property: String) -> String { property.replacing(".", with: "_") }
}

/// Gives each name once: the first keeps it, later ones get 1, 2, 3 … (sqlite-layout §4.3).
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

    /// SQLite compares names by their bytes, ASCII letters without regard to case.
    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }
    }
}
