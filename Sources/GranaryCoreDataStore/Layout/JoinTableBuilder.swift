import GranaryCoordination
import GranaryModel

/// Computes the join tables of a model (docs/core-data/sqlite-layout.md#join-tables).
///
/// A name is taken from an existing file if the file has a table with the two key columns, whatever the table's name.
struct JoinTableBuilder {
    private let schema: Schema
    private let present: PresentTables
    /// For each entity, the smallest name in binary order among the entity and its subentities.
    private let firstNames: [String]
    private var pairs: [Pair] = []
    private(set) var tables: [JoinTable] = []
    private(set) var places: [LinkLayout.ID: StoreLayout.LinkPlace] = [:]
    /// The tables to which Core Data may give other names or other column names.
    private(set) var unconfirmed: Set<String> = []

    /// Two to-many relationships that are inverses of each other, and their table.
    private struct Pair {
        /// The relationship after which the table is named.
        var naming: Schema.Relationship
        var other: Schema.Relationship
        var table: String?
        /// The column with the keys of the naming entity.
        var first: String?
        /// The column with the keys of the other entity.
        var second: String?

        /// Whether a relationship is its own inverse.
        var isReflexive: Bool { naming.owner == other.owner && naming.slot == other.slot }
        var tableName: String { "Z_\(naming.owner + 1)\(naming.name.uppercased())" }
        /// The default name of ``first``. It has the number of the entity whose keys it holds, and the name of the
        /// relationship that refers to that entity.
        var firstName: String { "Z_\(naming.owner + 1)\(other.name.uppercased())" }
        var secondName: String {
            isReflexive ? StoreLayout.reflexiveColumn : "Z_\(other.owner + 1)\(naming.name.uppercased())"
        }
        /// The name of the table if the other relationship named it.
        var otherTableName: String { "Z_\(other.owner + 1)\(other.name.uppercased())" }
    }

    init(schema: Schema, present: PresentTables) {
        self.schema = schema
        self.present = present
        var names = schema.entities.map(\.name)
        // Subentities follow their superentity.
        for entity in schema.entities.reversed() {
            guard let parent = entity.superentity, utf8Less(names[entity.index], names[parent]) else { continue }
            names[parent] = names[entity.index]
        }
        firstNames = names
    }

    /// - Parameter names: the names of tables that are in use.
    mutating func run(names: inout UniqueNames) {
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && relationship.isToMany {
                guard let inverse = relationship.inverse else { continue }
                let other = schema.entities[inverse.owner].relationships[inverse.relationship]
                // Each pair once, with the relationship that names the table.
                guard other.isToMany, other.isPersistent, !precedes(other, relationship) else { continue }
                pairs.append(Pair(naming: relationship, other: other))
            }
        }
        pairs.sort { left, right in
            left.naming.owner == right.naming.owner
                ? utf8Less(left.naming.name, right.naming.name) : left.naming.owner < right.naming.owner
        }
        findTables()
        for pair in pairs { if let table = pair.table { _ = names.take(table) } }
        for index in pairs.indices where pairs[index].table == nil {
            let table = names.take(pairs[index].tableName)
            pairs[index].table = table
            if present[table] == nil, isTied(pairs[index]) { unconfirmed.insert(table) }
        }
        nameColumns()
        for pair in pairs { add(pair) }
    }

    /// Whether a relationship names the table of itself and its inverse, and not the inverse.
    ///
    /// The side names the table whose declaring entity has the smallest name among itself and its subentities. If both
    /// have the same, Core Data's rule is not known: the later name matches most stores.
    private func precedes(_ relationship: Schema.Relationship, _ inverse: Schema.Relationship) -> Bool {
        let (own, other) = (firstNames[relationship.owner], firstNames[inverse.owner])
        if own != other { return utf8Less(own, other) }
        if relationship.name != inverse.name { return utf8Less(inverse.name, relationship.name) }
        return relationship.owner < inverse.owner
    }

    /// Whether it is not known which side names the table. An ordered relationship that is its own inverse is in no
    /// known store.
    private func isTied(_ pair: Pair) -> Bool {
        pair.isReflexive
            ? pair.naming.description.isOrdered : firstNames[pair.naming.owner] == firstNames[pair.other.owner]
    }

    // MARK: Tables of a file

    /// Finds the tables of an existing file by their two key columns: first with the exact names of the columns, then
    /// with digits. A table that could belong to a pair under its own name goes before one with any other name.
    private mutating func findTables() {
        let candidates = present.joinTables()
        guard !candidates.isEmpty else { return }
        var used: Set<String> = []
        for isExact in [true, false] {
            for index in pairs.indices where pairs[index].table == nil {
                let pair = pairs[index]
                let key = PresentTables.JoinKey(pair.firstName, pair.secondName)
                let tables = (candidates[key] ?? []).filter { !used.contains($0) }
                let ranked = tables.sorted { (rank($0, pair), $0) < (rank($1, pair), $1) }
                for table in ranked {
                    let found = present.columns(pair.firstName, pair.secondName, of: table)
                    guard let first = found.first, let second = found.second,
                        !isExact || first == pair.firstName && second == pair.secondName
                    else { continue }
                    used.insert(table)
                    set(table, first, second, of: &pairs[index])
                    break
                }
            }
        }
    }

    private func rank(_ table: String, _ pair: Pair) -> Int {
        table == pair.tableName ? 0 : table == pair.otherTableName ? 1 : 2
    }

    private func set(_ table: String, _ first: String, _ second: String, of pair: inout Pair) {
        pair.table = table
        (pair.first, pair.second) = (first, second)
        guard !pair.isReflexive, isNamedByOther(table, first, second, pair) else { return }
        pair = Pair(naming: pair.other, other: pair.naming, table: table, first: second, second: first)
    }

    /// Whether a table is named after the other relationship of a pair. A migration that renames a table leaves its
    /// columns in their order, so the order tells only if the name is neither relationship's.
    private func isNamedByOther(_ table: String, _ first: String, _ second: String, _ pair: Pair) -> Bool {
        if table == pair.tableName || table == pair.otherTableName { return table != pair.tableName }
        // The column of the naming entity is the first of the table.
        let columns = present[table] ?? []
        guard let left = columns.firstIndex(of: first), let right = columns.firstIndex(of: second) else { return false }
        return right < left
    }

    // MARK: Columns

    /// Sets the names of the columns that were not found in a file. If columns of two tables have the same name, the
    /// column of the relationship whose entity is first in the order of ``precedes(_:_:)`` keeps it, and the others
    /// get a digit.
    private mutating func nameColumns() {
        var columns: [(pair: Int, isFirst: Bool, relationship: Schema.Relationship)] = []
        for index in pairs.indices where pairs[index].first == nil || pairs[index].second == nil {
            if let table = pairs[index].table {
                // A table of a damaged file may have one of the columns.
                let known = present.columns(pairs[index].firstName, pairs[index].secondName, of: table)
                (pairs[index].first, pairs[index].second) = (known.first, known.second)
            }
            if pairs[index].isReflexive { pairs[index].second = StoreLayout.reflexiveColumn }
            if pairs[index].first == nil { columns.append((index, true, pairs[index].other)) }
            if pairs[index].second == nil { columns.append((index, false, pairs[index].naming)) }
        }
        columns.sort { left, right in
            let names = (firstNames[left.relationship.owner], firstNames[right.relationship.owner])
            if names.0 != names.1 { return utf8Less(names.0, names.1) }
            if left.relationship.owner != right.relationship.owner {
                return left.relationship.owner < right.relationship.owner
            }
            return utf8Less(left.relationship.name, right.relationship.name)
        }
        var names = UniqueNames()
        // The pairs with a column of a name.
        var sharing: [String: [Int]] = [:]
        for (index, isFirst, relationship) in columns {
            let wanted = isFirst ? pairs[index].firstName : pairs[index].secondName
            let name = names.take(wanted)
            if isFirst { pairs[index].first = name } else { pairs[index].second = name }
            sharing[wanted, default: []].append(index)
            // No known store shows the name of the order column.
            if name != wanted, relationship.description.isOrdered { noteUnconfirmed(index) }
        }
        // If one entity names several of the tables, frameworks from 1403 on follow another rule
        // (docs/core-data/sqlite-layout.md#digits-in-names-of-join-table-columns).
        for indexes in sharing.values where Set(indexes.map { pairs[$0].naming.owner }).count < indexes.count {
            for index in indexes { noteUnconfirmed(index) }
        }
    }

    private mutating func noteUnconfirmed(_ index: Int) {
        if let table = pairs[index].table { unconfirmed.insert(table) }
    }

    private mutating func add(_ pair: Pair) {
        guard let name = pair.table else { return }
        let (first, second) = (pair.first ?? pair.firstName, pair.second ?? pair.secondName)
        // `other` orders the objects in the first column.
        let firstOrder =
            pair.other.description.isOrdered && !pair.isReflexive
            ? orderColumn(of: first, named: pair.firstName, in: name) : nil
        let secondOrder =
            pair.naming.description.isOrdered ? orderColumn(of: second, named: pair.secondName, in: name) : nil
        let table = tables.count
        var indexes: [[String]] = []
        if let firstOrder, pair.other.hasOrderKeyIndexes {
            indexes += [[second, first, firstOrder], [second, firstOrder, first]]
        }
        if let secondOrder, pair.naming.hasOrderKeyIndexes {
            indexes += [[first, second, secondOrder], [first, secondOrder, second]]
        }
        tables.append(
            JoinTable(
                name: name, entity: pair.naming.owner, firstColumn: first, secondColumn: second,
                orderColumns: [firstOrder, secondOrder].compactMap { $0 }, orderIndexes: indexes))
        places[.init(pair.other)] = .join(table: table, owner: second, destination: first, orderColumn: firstOrder)
        places[.init(pair.naming)] = .join(table: table, owner: first, destination: second, orderColumn: secondOrder)
    }

    /// The order column of a column. No known file shows whether its name repeats the digit of a column `Z_4BOOKS1`.
    private func orderColumn(of column: String, named name: String, in table: String) -> String {
        present.column(Self.orderColumn(of: column), or: Self.orderColumn(of: name), of: table)
    }

    /// Converts `Z_4BOOKS` to `Z_FOK_4BOOKS`.
    private static func orderColumn(of column: String) -> String {
        "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
    }
}

extension Schema.Relationship {
    /// Whether Core Data adds two indexes with the order keys to the join table (from framework 1509 on).
    fileprivate var hasOrderKeyIndexes: Bool {
        UserInfoFlag.isSet("NSRelationshipDescriptionOrderKeyIndexOption", in: description.userInfo)
    }
}
