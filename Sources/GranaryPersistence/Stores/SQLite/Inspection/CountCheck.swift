import GranaryBase
import GranaryModel
import GranarySQLite

/// Holds the numbers of objects in to-many relationships against their minimum and maximum.
///
/// Two sorted lists are run through side by side: no index is needed, and no list is kept.
struct CountCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for entity in checked.schema.entities where !entity.isAbstract {
            for relationship in entity.relationships
            where relationship.isPersistent && relationship.isToMany && relationship.hasRule {
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
        let column = SQL.quoteIdentifier(place.column)
        let connection = checked.store.connection
        let members = try connection.prepare(
            """
            SELECT \(column), COUNT(*) FROM \(SQL.quoteIdentifier(place.table)) WHERE typeof(\(column)) = 'integer'
            GROUP BY \(column) ORDER BY \(column)
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
                    mend: isTooMany
                        ? "take objects out of it (\(place.table).\(place.column))"
                        : "link objects to it (\(place.table).\(place.column))")
            }
        }
    }

    private func next(_ members: Statement) throws -> (owner: Int64, count: Int64)? {
        try members.step() ? (members.integer(at: 0), members.integer(at: 1)) : nil
    }
}

extension Schema.Relationship {
    /// Whether some number of objects would break a rule.
    var hasRule: Bool {
        !description.isOptional || description.minCount > 0 || description.maxCount > 0
    }
}
