import GranaryCoordination
package import GranaryModel

/// The tables and columns that Core Data creates for a model, as observed in real stores.
/// docs/core-data-compatibility.md lists the evidence.
package struct StoreLayout: Sendable {
    /// One table for each root entity, in the order of the entities' numbers.
    package let tables: [EntityTable]
    /// One for each pair of to-many relationships.
    package let joinTables: [JoinTable]
    /// The index of each entity's table.
    package let tableOfEntity: [Int]
    /// The places of the links of to-many relationships.
    let linkPlaces: [LinkLayout.ID: LinkPlace]
    /// The join tables to which Core Data may give other names or other column names, sorted.
    package let unsettledJoinTables: [String]

    /// The second column of the join table of a relationship that is its own inverse.
    package static let reflexiveColumn = "REFLEXIVE"
    package static let bookkeepingTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    /// SQLite's limit for the columns of a table (https://www.sqlite.org/limits.html).
    static let columnLimit = 2000

    /// The place of the links of a to-many relationship.
    package enum LinkPlace: Sendable {
        /// The destination's foreign key to the owner.
        case foreignKey(table: Int, column: String, entityColumn: String?, orderColumn: String?)
        /// A join table, with the columns of the owner's and the destination's keys.
        case join(table: Int, owner: String, destination: String, orderColumn: String?)
    }

    package func linkPlace(of relationship: Schema.Relationship) -> LinkPlace? {
        linkPlaces[LinkLayout.ID(relationship)]
    }

    /// The table that the links are in.
    func tableName(of place: LinkPlace) -> String {
        switch place {
        case .foreignKey(let table, _, _, _): tables[table].name
        case .join(let table, _, _, _): joinTables[table].name
        }
    }
}

/// The table of a root entity and all its subentities.
package struct EntityTable: Sendable {
    package let name: String
    /// The index of the root entity.
    package let root: Int
    /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, in the table's order.
    package internal(set) var columns: [Column]

    /// A column and its content.
    package struct Column: Sendable {
        package enum Content: Sendable, Hashable {
            case attribute(AttributeType)
            /// The key of the destination of a to-one.
            case reference
            /// The number of the destination's concrete entity, if several are possible.
            case referenceEntity
            /// The order key of an ordered relationship.
            case order
            /// The key of the owner of a to-many relationship without an inverse.
            case owner
        }

        package let name: String
        package let content: Content
        /// The index of the entity that declares the property. For owner and order columns, the property is the owner's
        /// to-many relationship.
        package let entity: Int
        /// The slot of the property.
        package let slot: Int

        /// The declared type (sqlite-layout §4.1).
        package var declaredType: String { form.type }

        /// The group of the column. Tables order their columns by group (sqlite-layout §4.2).
        var group: Int { form.group }

        private var form: (type: String, group: Int) {
            switch content {
            case .reference, .referenceEntity: ("INTEGER", 1)
            case .owner, .order: ("INTEGER", 2)
            case .attribute(let type):
                switch type {
                case .integer16, .integer32, .integer64, .boolean: ("INTEGER", 1)
                case .date: ("TIMESTAMP", 3)
                case .double, .float: ("FLOAT", 3)
                case .decimal: ("DECIMAL", 4)
                case .string: ("VARCHAR", 5)
                case .uri, .objectID: ("VARCHAR", 6)
                case .uuid: ("BLOB", 7)
                case .transformable: ("BLOB", 8)
                case .binary, .undefined, .composite: ("BLOB", 9)
                }
            }
        }
    }
}

/// The table of two to-many relationships that are inverses of each other.
package struct JoinTable: Sendable {
    package let name: String
    /// The index of the entity that names the table.
    package let entity: Int
    package let firstColumn: String
    package let secondColumn: String
    package let orderColumns: [String]
    /// The columns of the additional indexes with an order column.
    let orderIndexes: [[String]]

    /// Whether the table stores a relationship that is its own inverse: each link is two rows, one for each direction.
    package var isReflexive: Bool { secondColumn == StoreLayout.reflexiveColumn }

    /// The table, for the FROM clause of a statement that reads links. For a relationship that is its own inverse, it is
    /// a subquery that adds the rows of the other direction where they are missing: in stores that Core Data wrote, some
    /// are.
    package var source: String {
        guard isReflexive else { return name }
        let orders = orderColumns.map { ", \($0)" }.joined()
        let missing = orderColumns.map { _ in ", NULL" }.joined()
        return "(SELECT \(firstColumn), \(secondColumn)\(orders) FROM \(name) UNION ALL "
            + "SELECT \(secondColumn), \(firstColumn)\(missing) FROM \(name) o WHERE NOT EXISTS (SELECT 1 FROM \(name) m "
            + "WHERE m.\(firstColumn) = o.\(secondColumn) AND m.\(secondColumn) = o.\(firstColumn)))"
    }
}

/// SQL statements for links.
extension StoreLayout {
    /// The statements that remove an object's links outside its row: its rows in join tables, and the owner columns of
    /// to-many relationships without an inverse. The parameter is the object's key.
    func removals(of entity: Schema.Entity) -> [String] {
        entity.relationships.filter { $0.isToMany && $0.isPersistent }.flatMap { relationship -> [String] in
            switch linkPlace(of: relationship) {
            case .join(let table, let owner, let destination, _)?:
                let join = joinTables[table]
                return (join.isReflexive ? [owner, destination] : [owner]).map {
                    "DELETE FROM \(join.name) WHERE \($0) = ?"
                }
            case .foreignKey(let table, let column, _, let order)? where relationship.inverse == nil:
                let columns = [column] + [order].compactMap { $0 }
                let nulls = columns.map { "\($0) = NULL" }.joined(separator: ", ")
                return ["UPDATE \(tables[table].name) SET \(nulls) WHERE \(column) = ?"]
            case .foreignKey?, nil: return []
            }
        }
    }

    /// The statement that sets a to-one reference. Parameters: the owner's key, the destination's key and, if there is
    /// a column for it, the number of the destination's entity.
    func referenceUpdate(
        of relationship: Schema.Relationship, schema: Schema
    ) -> (text: String, hasEntity: Bool)? {
        let table = table(of: relationship.owner)
        let columns = table.columns.filter { $0.entity == relationship.owner && $0.slot == relationship.slot }
        guard let key = columns.first(where: { $0.content == .reference })?.name else { return nil }
        var assignments = ["\(key) = ?2"]
        let entityColumn = columns.first { $0.content == .referenceEntity }?.name
        if let entityColumn { assignments.append("\(entityColumn) = ?3") }
        // An object that joins another list has no position in it yet.
        if let inverse = relationship.inverse,
            case .foreignKey(_, _, _, let order?)? = linkPlace(
                of: schema.entities[inverse.owner].relationships[inverse.relationship])
        {
            assignments.append("\(order) = CASE WHEN \(key) IS ?2 THEN \(order) END")
        }
        return (
            "UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?1", entityColumn != nil
        )
    }
}
