import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks to-many relationships: links to or from missing objects, duplicate links, and order keys.
struct LinkCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for entity in checked.schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && relationship.isToMany {
                switch checked.layout.linkPlace(of: relationship) {
                case .join(let index, let owner, let destination, let order)?:
                    let table = checked.layout.joinTables[index].name
                    guard checked.has(table, [owner, destination]) else { continue }
                    let join = Join(
                        entity: entity, relationship: relationship, table: table, owner: owner,
                        destination: destination)
                    try checkEnds(join, &findings)
                    if let order {
                        try checkOrder(entity, relationship, table, owner, order, destination, &findings)
                    }
                case .foreignKey(let index, let column, _, let order)?:
                    let table = checked.layout.tables[index].name
                    guard checked.isKeyed(table), checked.has(table, [column, "Z_PK"]) else { continue }
                    if relationship.inverse == nil { try checkOwners(relationship, entity, table, column, &findings) }
                    if let order { try checkOrder(entity, relationship, table, column, order, "Z_PK", &findings) }
                case nil: break
                }
            }
        }
    }

    /// A to-many relationship and its columns in a join table.
    private struct Join {
        let entity: Schema.Entity
        let relationship: Schema.Relationship
        let table: String
        let owner: String
        let destination: String

        /// Whether the relationship is its own inverse: a link has a row for each direction.
        var isReflexive: Bool { destination == StoreLayout.reflexiveColumn }
    }

    private func checkEnds(_ join: Join, _ findings: inout StoreFindings) throws {
        try checkEnd(join, join.destination, join.relationship.destination, &findings)
        // The relationship is its own inverse, so no other check covers the other column.
        if join.isReflexive {
            try checkEnd(join, join.owner, join.entity.index, &findings)
            try checkMirrors(join, &findings)
        }
        // Older frameworks give the table no primary key
        // (docs/core-data/sqlite-layout.md#join-tables-of-old-frameworks). One of the two sides reports duplicates.
        guard checked.layout.joinTables.contains(where: { $0.name == join.table && $0.firstColumn == join.owner })
        else { return }
        let (owner, destination) = (SQL.quoteIdentifier(join.owner), SQL.quoteIdentifier(join.destination))
        let query = """
            SELECT \(owner), \(destination), COUNT(*) FROM \(SQL.quoteIdentifier(join.table))
            GROUP BY \(owner), \(destination) HAVING COUNT(*) > 1 ORDER BY 1, 2
            """
        try checked.each(query) { row in
            let (key, target) = (row.integer(at: 0), row.integer(at: 1))
            findings.add(
                .storeCorrupt, "p\(key) is linked to p\(target) \(row.integer(at: 2)) times", entity: join.entity.name,
                property: join.relationship.name, table: join.table, key: key, column: join.destination,
                advice: StoreAdvice.copyObjects)
        }
    }

    /// Finds the rows of a join table whose `column` does not refer to an object of `entity`.
    private func checkEnd(_ join: Join, _ column: String, _ entity: Int, _ findings: inout StoreFindings) throws {
        guard let other = checked.rowTable(of: entity) else { return }
        let name = SQL.quoteIdentifier(column)
        let entityName = checked.schema.entities[entity].name
        // The row of the other direction is reported at its destination.
        let mirror =
            join.isReflexive && column == join.owner
            ? " AND NOT EXISTS (SELECT 1 FROM \(SQL.quoteIdentifier(join.table)) m "
                + "WHERE m.\(SQL.quoteIdentifier(join.owner)) = j.\(SQL.quoteIdentifier(join.destination)) "
                + "AND m.\(SQL.quoteIdentifier(join.destination)) = j.\(name))" : ""
        let query = """
            SELECT j.\(SQL.quoteIdentifier(join.owner)), j.\(SQL.quoteIdentifier(join.destination)) FROM
            \(SQL.quoteIdentifier(join.table)) j WHERE NOT EXISTS (SELECT 1 FROM \(SQL.quoteIdentifier(other)) d
            WHERE d.Z_PK = j.\(name) AND \(checked.kind("d", entity)))\(mirror) ORDER BY 1, 2
            """
        try checked.each(query) { row in
            let (key, target) = (row.integer(at: 0), row.integer(at: 1))
            let isOwner = column == join.owner
            findings.add(
                .relationshipNotFound,
                isOwner
                    ? "p\(key), which is not an object of \(entityName), is linked to p\(target)"
                    : "p\(key) is linked to p\(target), which is not an object of \(entityName)",
                severity: checked.severityOfReferences, entity: join.entity.name, property: join.relationship.name,
                table: join.table, key: key, column: column,
                // An object that does not exist has no relationship to set. An export leaves its links out, except
                // those of a relationship that is its own inverse, which the existing object has too.
                advice: isOwner && !join.isReflexive ? StoreAdvice.copyObjects : StoreAdvice.setRelationship)
        }
    }

    /// Finds links of a relationship that is its own inverse without the row for the other direction. Stores that Core
    /// Data wrote have some (docs/core-data/sqlite-layout.md#relationships-that-are-their-own-inverse).
    private func checkMirrors(_ join: Join, _ findings: inout StoreFindings) throws {
        let (owner, destination) = (SQL.quoteIdentifier(join.owner), SQL.quoteIdentifier(join.destination))
        let table = SQL.quoteIdentifier(join.table)
        let query = """
            SELECT j.\(owner), j.\(destination), COUNT(*) OVER () FROM \(table) j WHERE NOT EXISTS (
                SELECT 1 FROM \(table) m WHERE m.\(owner) = j.\(destination) AND m.\(destination) = j.\(owner))
            ORDER BY 1, 2 LIMIT 1
            """
        try checked.each(query) { row in
            let (key, target, count) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
            findings.add(
                .storeCorrupt,
                "\(count) link\(count == 1 ? "" : "s") of this relationship, which is its own inverse, "
                    + "\(count == 1 ? "is" : "are") stored in one direction only; the first leads from p\(key) to p\(target)",
                severity: .warning, entity: join.entity.name, property: join.relationship.name, table: join.table,
                key: key, column: join.destination, advice: StoreAdvice.bothDirections)
        }
    }

    /// Finds members whose owner does not exist, in a relationship without an inverse.
    private func checkOwners(
        _ relationship: Schema.Relationship, _ entity: Schema.Entity, _ table: String, _ column: String,
        _ findings: inout StoreFindings
    ) throws {
        guard let owners = checked.rowTable(of: entity.index) else { return }
        let name = SQL.quoteIdentifier(column)
        let query = """
            SELECT m.\(name), m.Z_PK FROM \(SQL.quoteIdentifier(table)) m WHERE m.\(name) IS NOT NULL
            AND \(checked.kind("m", relationship.memberEntity)) AND NOT EXISTS (
                SELECT 1 FROM \(SQL.quoteIdentifier(owners)) o
                WHERE o.Z_PK = m.\(name) AND \(checked.kind("o", entity.index)))
            ORDER BY m.Z_PK
            """
        try checked.each(query) { row in
            let (owner, key) = (row.integer(at: 0), row.integer(at: 1))
            findings.add(
                .relationshipNotFound, "p\(key) is a member of p\(owner), which is not an object of \(entity.name)",
                severity: checked.severityOfReferences, entity: entity.name, property: relationship.name,
                table: table, key: key, column: column, advice: StoreAdvice.copyObjects)
        }
    }

    /// Finds members without an order key, and members with equal order keys. An order key without an owner is
    /// harmless.
    private func checkOrder(
        _ entity: Schema.Entity, _ relationship: Schema.Relationship, _ table: String, _ owner: String,
        _ order: String, _ member: String, _ findings: inout StoreFindings
    ) throws {
        guard checked.has(table, [order]) else { return }
        let names = (
            table: SQL.quoteIdentifier(table), owner: SQL.quoteIdentifier(owner), order: SQL.quoteIdentifier(order),
            member: SQL.quoteIdentifier(member)
        )
        let isJoin = member != "Z_PK"
        // The columns of sibling entities may hold values of an earlier model.
        let members = isJoin ? "" : "AND \(checked.kind("m", relationship.memberEntity))"
        try checked.each(
            """
            SELECT \(names.owner), \(names.member) FROM \(names.table) m WHERE \(names.owner) IS NOT NULL
            AND typeof(\(names.order)) <> 'integer' \(members) ORDER BY 1, 2
            """
        ) { row in
            let (key, target) = (row.integer(at: 0), row.integer(at: 1))
            findings.add(
                .storeCorrupt, "p\(target) has no order key in the list of p\(key)", entity: entity.name,
                property: relationship.name, table: table, key: isJoin ? key : target, column: order,
                advice: StoreAdvice.setOrder)
        }
        try checked.each(
            """
            SELECT \(names.owner), MIN(\(names.member)), MAX(\(names.member)), \(names.order), COUNT(*)
            FROM \(names.table) m WHERE \(names.owner) IS NOT NULL AND typeof(\(names.order)) = 'integer' \(members)
            GROUP BY \(names.owner), \(names.order) HAVING COUNT(*) > 1 ORDER BY 1, 4
            """
        ) { row in
            let (key, first, last) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
            findings.add(
                .storeCorrupt,
                "\(row.integer(at: 4)) objects, among them p\(first) and p\(last), have the order key "
                    + "\(row.integer(at: 3)) in the list of p\(key)",
                entity: entity.name, property: relationship.name, table: table, key: isJoin ? key : last,
                column: order, advice: StoreAdvice.setOrder)
        }
    }
}
