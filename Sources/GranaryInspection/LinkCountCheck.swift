import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks the numbers of objects in to-many relationships against their minimum and maximum.
///
/// Merges the sorted owners with the sorted counts of members, so it needs no index and keeps no list.
struct LinkCountCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for entity in checked.schema.entities where !entity.isAbstract {
            for relationship in entity.relationships
            where relationship.isPersistent && relationship.isToMany && relationship.hasCountRule {
                try check(relationship, of: entity, &findings)
            }
        }
    }

    private func check(
        _ relationship: Schema.Relationship, of entity: Schema.Entity, _ findings: inout StoreFindings
    ) throws {
        guard let table = checked.rowTable(of: entity.index), let place = place(of: relationship) else { return }
        let column = SQL.quoteIdentifier(place.column)
        let connection = checked.store.connection
        let members = try connection.prepare(
            """
            SELECT \(column), COUNT(*) FROM \(place.source) m
            WHERE typeof(\(column)) = 'integer' \(place.condition) GROUP BY \(column) ORDER BY \(column)
            """)
        let owners = try connection.prepare(
            "SELECT Z_PK FROM \(SQL.quoteIdentifier(table)) WHERE Z_ENT = \(entity.number) ORDER BY Z_PK")
        var member = try next(members)
        while try owners.step() {
            let key = owners.integer(at: 0)
            while let known = member, known.owner < key { member = try next(members) }
            let count = member?.owner == key ? Int(clamping: member?.count ?? 0) : 0
            for violation in relationship.violations(ofCount: count) {
                let isTooMany = violation.code == .relationshipTooMany
                findings.add(
                    violation.code, "p\(key): \(violation.message)", entity: entity.name, property: relationship.name,
                    coreDataCode: violation.coreDataCode, table: table, key: key,
                    advice: isTooMany ? "remove objects from the relationship" : "add objects to the relationship")
            }
        }
    }

    /// Where the members of a relationship are: the source of a FROM clause, the owner's column and a further
    /// condition. Nil if the table or column is missing.
    private func place(
        of relationship: Schema.Relationship
    ) -> (source: String, column: String, condition: String)? {
        switch checked.layout.linkPlace(of: relationship) {
        case .join(let index, let owner, let destination, _)?:
            let join = checked.layout.joinTables[index]
            guard checked.has(join.name, [owner, destination] + join.orderColumns) else { return nil }
            return (join.source, owner, "")
        case .foreignKey(let index, let column, _, _)?:
            let table = checked.layout.tables[index].name
            guard checked.has(table, [column]), checked.rowTable(of: relationship.destination) != nil else {
                return nil
            }
            return (SQL.quoteIdentifier(table), column, "AND \(checked.kind("m", relationship.memberEntity))")
        case nil: return nil
        }
    }

    private func next(_ members: Statement) throws -> (owner: Int64, count: Int64)? {
        try members.step() ? (members.integer(at: 0), members.integer(at: 1)) : nil
    }
}
