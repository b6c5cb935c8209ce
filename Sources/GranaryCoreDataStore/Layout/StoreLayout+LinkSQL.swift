import GranaryCoordination
import GranaryModel

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
