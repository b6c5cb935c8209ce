import GranaryBase
import GranaryModel
import GranarySQLite

/// Looks in a store's tables for references to nothing, inverses that disagree, and values that should be unique.
struct ReferenceCheck {
    let store: SQLiteStore
    private var schema: Schema { store.schema }
    private var layout: StoreLayout { store.layout }

    init(_ store: SQLiteStore) { self.store = store }

    func run(_ collector: inout DiagnosticCollector) throws {
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent {
                if relationship.isToMany {
                    try checkLinks(relationship, of: entity, &collector)
                } else {
                    try checkReferences(relationship, of: entity, &collector)
                }
            }
            for constraint in entity.uniquenessConstraints where constraint.owner == entity.index {
                try check(constraint, of: entity, &collector)
            }
        }
    }

    private func table(_ entity: Int) -> String { layout.tables[layout.tableOfEntity[entity]].name }

    /// The condition that a row is of an entity or one of its subentities.
    private func kind(_ alias: String, _ entity: Int) -> String {
        let family = schema.entities[entity].family
        return "\(alias).Z_ENT BETWEEN \(family.lowerBound + 1) AND \(family.upperBound)"
    }

    private func checkReferences(
        _ relationship: Schema.Relationship, of entity: Schema.Entity, _ collector: inout DiagnosticCollector
    ) throws {
        guard let column = layout.column(entity: relationship.owner, slot: relationship.slot) else { return }
        let (own, other) = (table(entity.index), table(relationship.destination))
        let target = schema.entities[relationship.destination].name
        try report(
            """
            SELECT o.Z_PK, o.\(column) FROM \(own) o WHERE \(kind("o", entity.index)) AND o.\(column) IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM \(other) d WHERE d.Z_PK = o.\(column) AND \(kind("d", relationship.destination)))
            """, entity, relationship.name, .relationshipNotFound, &collector
        ) { "p\($0) refers to p\($1), which is no \(target)" }
        guard let inverse = relationship.inverse else { return }
        let mirror = schema.entities[inverse.owner].relationships[inverse.relationship]
        guard !mirror.isToMany, let back = layout.column(entity: mirror.owner, slot: mirror.slot) else { return }
        try report(
            """
            SELECT o.Z_PK, d.Z_PK FROM \(own) o JOIN \(other) d ON d.Z_PK = o.\(column)
            WHERE \(kind("o", entity.index)) AND d.\(back) IS NOT o.Z_PK
            """, entity, relationship.name, .storeCorrupt, &collector
        ) { "p\($0) refers to p\($1), whose \(mirror.name) does not refer back" }
    }

    private func checkLinks(
        _ relationship: Schema.Relationship, of entity: Schema.Entity, _ collector: inout DiagnosticCollector
    ) throws {
        let other = table(relationship.destination)
        let target = schema.entities[relationship.destination].name
        switch layout.linkPlace(of: relationship) {
        case .join(let index, let owner, let destination, _)?:
            try report(
                """
                SELECT j.\(owner), j.\(destination) FROM \(layout.joinTables[index].name) j WHERE NOT EXISTS
                (SELECT 1 FROM \(other) d WHERE d.Z_PK = j.\(destination) AND \(kind("d", relationship.destination)))
                """, entity, relationship.name, .relationshipNotFound, &collector
            ) { "p\($0) is linked to p\($1), which is no \(target)" }
        case .foreignKey(_, let column, _, _)? where relationship.inverse == nil:
            try report(
                """
                SELECT m.\(column), m.Z_PK FROM \(other) m WHERE m.\(column) IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM \(table(entity.index)) o WHERE o.Z_PK = m.\(column) AND \(kind("o", entity.index)))
                """, entity, relationship.name, .relationshipNotFound, &collector
            ) { "p\($1) is a member of p\($0), which is no \(entity.name)" }
        case .foreignKey?, nil: break
        }
    }

    private func check(
        _ constraint: Schema.UniquenessConstraint, of entity: Schema.Entity, _ collector: inout DiagnosticCollector
    ) throws {
        let columns = constraint.properties.compactMap { property in
            switch property {
            case .attribute(let index):
                layout.column(entity: entity.attributes[index].owner, slot: entity.attributes[index].slot)
            case .relationship(let index):
                layout.column(entity: entity.relationships[index].owner, slot: entity.relationships[index].slot)
            }
        }
        guard columns.count == constraint.properties.count, !columns.isEmpty else { return }
        let present = columns.map { "o.\($0) IS NOT NULL" }.joined(separator: " AND ")
        try report(
            """
            SELECT MIN(o.Z_PK), MAX(o.Z_PK) FROM \(table(entity.index)) o WHERE \(kind("o", entity.index)) AND \(present)
            GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1 ORDER BY 1
            """, entity, constraint.names.joined(separator: ","), .uniqueDuplicate, &collector
        ) { "p\($0) and p\($1) have the same value" }
    }

    /// Runs a query that gives two keys a row, each row a problem.
    private func report(
        _ sql: String, _ entity: Schema.Entity, _ property: String, _ code: Diagnostic.Code,
        _ collector: inout DiagnosticCollector, _ message: (Int64, Int64) -> String
    ) throws {
        let statement = try store.connection.prepare(sql)
        while try statement.step() {
            collector.add(
                Diagnostic(
                    code, message(statement.integer(at: 0), statement.integer(at: 1)), entity: entity.name,
                    property: property))
        }
    }
}
