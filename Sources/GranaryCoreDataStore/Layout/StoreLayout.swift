import GranaryCoordination
package import GranaryModel

/// The tables, columns and indexes that Core Data gives a model (as found in real stores; docs/core-data-compatibility.md
/// says what is certain).
package struct StoreLayout: Sendable {
    /// One table for each root entity, in the order of the entities' numbers.
    package let tables: [EntityTable]
    /// One for each pair of to-many relationships.
    package let joinTables: [JoinTable]
    /// For each entity the index of its table.
    package let tableOfEntity: [Int]
    /// Where the links of each to-many relationship lie.
    let linkPlaces: [RelationshipKey: LinkPlace]
    /// The join tables that Core Data may give another name, or columns of other names; sorted.
    let unsettledJoinTables: [String]

    /// The second column of the join table of a relationship that is its own inverse.
    package static let reflexiveColumn = "REFLEXIVE"
    package static let bookkeepingTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    /// How many columns SQLite gives a table (https://www.sqlite.org/limits.html).
    static let columnLimit = 2000

    /// A relationship by the entity that declares it and its slot.
    struct RelationshipKey: Hashable, Sendable {
        let owner: Int
        let slot: Int
    }

    /// Where the links of a to-many relationship are kept.
    package enum LinkPlace: Sendable {
        /// In the destination's foreign key to the owner.
        case foreignKey(table: Int, column: String, entityColumn: String?, orderColumn: String?)
        /// In a table of its own, by the columns of the owner's and of the destination's key.
        case join(table: Int, owner: String, destination: String, orderColumn: String?)
    }

    package func linkPlace(of relationship: Schema.Relationship) -> LinkPlace? {
        linkPlaces[RelationshipKey(owner: relationship.owner, slot: relationship.slot)]
    }
}

/// The table of a root entity and all its subentities.
package struct EntityTable: Sendable {
    package let name: String
    /// The root entity, as an index.
    package let root: Int
    /// In the table's order, after `Z_PK`, `Z_ENT` and `Z_OPT`.
    package internal(set) var columns: [Column]

    /// A column, and what of an object it keeps.
    package struct Column: Sendable {
        package enum Content: Sendable, Hashable {
            case attribute(AttributeType)
            /// The key of the object at the other end.
            case reference
            /// The number of that object's concrete entity, where it may be one of several.
            case referenceEntity
            /// The key in the order of an ordered relationship.
            case order
            /// The owner's key of a to-many relationship without an inverse.
            case owner
        }

        package let name: String
        package let content: Content
        /// The entity that declares it, as an index, and the slot; for an owner or an order column those of the
        /// to-many relationship at the other end.
        package let entity: Int
        package let slot: Int

        /// The declared type (sqlite-layout §4.1).
        package var declaredType: String {
            switch content {
            case .reference, .referenceEntity, .order, .owner: "INTEGER"
            case .attribute(let type):
                switch type {
                case .integer16, .integer32, .integer64, .boolean: "INTEGER"
                case .date: "TIMESTAMP"
                case .double, .float: "FLOAT"
                case .decimal: "DECIMAL"
                case .string, .uri, .objectID: "VARCHAR"
                case .uuid, .binary, .transformable, .undefined, .composite: "BLOB"
                }
            }
        }

        /// Columns stand in groups by class (sqlite-layout §4.2).
        var group: Int {
            switch content {
            case .reference, .referenceEntity: 1
            case .owner, .order: 2
            case .attribute(let type):
                switch type {
                case .integer16, .integer32, .integer64, .boolean: 1
                case .date, .double, .float: 3
                case .decimal: 4
                case .string: 5
                case .uri, .objectID: 6
                case .uuid: 7
                case .transformable: 8
                case .binary, .undefined, .composite: 9
                }
            }
        }
    }
}

/// The table of two to-many relationships that are each other's inverse.
package struct JoinTable: Sendable {
    package let name: String
    /// The entity that names it, as an index.
    package let entity: Int
    package let firstColumn: String
    package let secondColumn: String
    package let orderColumns: [String]
}

/// Statements for links, by the places where links lie.
extension StoreLayout {
    /// Removes the links of an object that lie apart from its row: its rows in join tables, and what members of its
    /// to-many relationships without an inverse say about their owner. The parameter is the object's key.
    func removals(of entity: Schema.Entity) -> [String] {
        entity.relationships.filter { $0.isToMany && $0.isPersistent }.flatMap { relationship -> [String] in
            switch linkPlace(of: relationship) {
            case .join(let table, let owner, let destination, _)?:
                let join = joinTables[table].name
                let statement = "DELETE FROM \(join) WHERE \(owner) = ?"
                // Its own inverse: the pairs are there both ways round.
                return destination == Self.reflexiveColumn
                    ? [statement, "DELETE FROM \(join) WHERE \(destination) = ?"] : [statement]
            case .foreignKey(let table, let column, _, let order)? where relationship.inverse == nil:
                let columns = [column] + [order].compactMap { $0 }
                let nulls = columns.map { "\($0) = NULL" }.joined(separator: ", ")
                return ["UPDATE \(tables[table].name) SET \(nulls) WHERE \(column) = ?"]
            case .foreignKey?, nil: return []
            }
        }
    }

    /// Sets a to-one reference. Parameters: the owner's key, the destination's key and, where there is a column for it,
    /// the number of its entity.
    func referenceUpdate(
        of relationship: Schema.Relationship, schema: Schema
    ) -> (text: String, hasEntity: Bool)? {
        let table = tables[tableOfEntity[relationship.owner]]
        let columns = table.columns.filter { $0.entity == relationship.owner && $0.slot == relationship.slot }
        guard let key = columns.first(where: { $0.content == .reference })?.name else { return nil }
        var assignments = ["\(key) = ?2"]
        let entityColumn = columns.first { $0.content == .referenceEntity }?.name
        if let entityColumn { assignments.append("\(entityColumn) = ?3") }
        // An object that comes into another list has no place in it yet.
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
