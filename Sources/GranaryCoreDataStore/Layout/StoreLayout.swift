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
    package let unconfirmedJoinTables: [String]

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
