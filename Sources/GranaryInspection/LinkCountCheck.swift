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
        let place: (table: String, column: String)
        switch checked.layout.linkPlace(of: relationship) {
        case .join(let index, let owner, _, _)?: place = (checked.layout.joinTables[index].name, owner)
        case .foreignKey(let index, let column, _, _)?: place = (checked.layout.tables[index].name, column)
        case nil: return
        }
        guard let table = checked.rowTable(of: entity.index), checked.has(place.table, [place.column]) else { return }
        var condition = ""
        if case .foreignKey? = checked.layout.linkPlace(of: relationship) {
            guard checked.rowTable(of: relationship.destination) != nil else { return }
            condition = "AND \(checked.kind("m", relationship.memberEntity))"
        }
        let column = SQL.quoteIdentifier(place.column)
        let connection = checked.store.connection
        let members = try connection.prepare(
            """
            SELECT \(column), COUNT(*) FROM \(SQL.quoteIdentifier(place.table)) m
            WHERE typeof(\(column)) = 'integer' \(condition) GROUP BY \(column) ORDER BY \(column)
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

    private func next(_ members: Statement) throws -> (owner: Int64, count: Int64)? {
        try members.step() ? (members.integer(at: 0), members.integer(at: 1)) : nil
    }
}
