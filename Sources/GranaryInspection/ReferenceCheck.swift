import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks to-one references: to missing objects, with a wrong entity number beside them, and without an inverse.
struct ReferenceCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for entity in checked.schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && !relationship.isToMany {
                guard let own = checked.rowTable(of: entity.index),
                    let other = checked.rowTable(of: relationship.destination),
                    let column = checked.layout.column(of: relationship),
                    checked.has(own, [column])
                else { continue }
                let reference = Reference(
                    entity: entity, relationship: relationship, own: own, other: other, column: column)
                try checkTargets(reference, &findings)
                try checkEntityColumn(reference, &findings)
                if !checked.isInferred { try checkInverse(reference, &findings) }
            }
        }
    }

    /// A to-one relationship and the tables at its ends.
    private struct Reference {
        let entity: Schema.Entity
        let relationship: Schema.Relationship
        let own: String
        let other: String
        let column: String

        var ownName: String { SQL.quoteIdentifier(own) }
        var otherName: String { SQL.quoteIdentifier(other) }
        var columnName: String { SQL.quoteIdentifier(column) }
    }

    private func checkTargets(_ reference: Reference, _ findings: inout StoreFindings) throws {
        let (own, other, column) = (reference.ownName, reference.otherName, reference.columnName)
        let destination = reference.relationship.destination
        let target = checked.schema.entities[destination].name
        let query = """
            SELECT o.Z_PK, o.\(column), typeof(o.\(column)) FROM \(own) o
            WHERE \(checked.kind("o", reference.entity.index)) AND o.\(column) IS NOT NULL AND (
                typeof(o.\(column)) <> 'integer'
                OR NOT EXISTS (
                    SELECT 1 FROM \(other) d WHERE d.Z_PK = o.\(column) AND \(checked.kind("d", destination))))
            ORDER BY o.Z_PK
            """
        try checked.each(query) { row in
            let key = row.integer(at: 0)
            let found = row.lossyText(at: 2) == "integer" ? "p\(row.integer(at: 1))" : "a \(row.lossyText(at: 2))"
            findings.add(
                .relationshipNotFound, "p\(key) refers to \(found), which is not an object of \(target)",
                severity: checked.severityOfReferences, entity: reference.entity.name,
                property: reference.relationship.name, table: reference.own, key: key, column: reference.column,
                advice: StoreAdvice.setRelationship)
        }
    }

    private func checkEntityColumn(_ reference: Reference, _ findings: inout StoreFindings) throws {
        let relationship = reference.relationship
        let columns = checked.layout.table(of: relationship.owner).columns
        guard
            let name = columns.first(where: {
                $0.entity == relationship.owner && $0.slot == relationship.slot && $0.content == .referenceEntity
            })?.name, checked.has(reference.own, [name])
        else { return }
        let column = SQL.quoteIdentifier(name)
        let query = """
            SELECT o.Z_PK, o.\(column), d.Z_ENT FROM \(reference.ownName) o
            JOIN \(reference.otherName) d ON d.Z_PK = o.\(reference.columnName)
            WHERE \(checked.kind("o", reference.entity.index)) AND o.\(column) IS NOT d.Z_ENT
            AND \(checked.kind("d", relationship.destination)) ORDER BY o.Z_PK
            """
        try checked.each(query) { row in
            let key = row.integer(at: 0)
            let found = row.isNull(at: 1) ? "NULL" : "\(row.integer(at: 1))"
            let number = row.integer(at: 2)
            findings.add(
                .storeCorrupt, "p\(key) refers to an object of Z_ENT \(number), but \(name) is \(found)",
                severity: checked.severityOfReferences, entity: reference.entity.name, property: relationship.name,
                table: reference.own, key: key, column: name,
                advice: StoreAdvice.setRelationship)
        }
    }

    private func checkInverse(_ reference: Reference, _ findings: inout StoreFindings) throws {
        guard let inverse = reference.relationship.inverse else { return }
        let mirror = checked.schema.entities[inverse.owner].relationships[inverse.relationship]
        guard mirror.isPersistent, !mirror.isToMany,
            let name = checked.layout.column(of: mirror),
            checked.has(reference.other, [name])
        else { return }
        let query = """
            SELECT o.Z_PK, d.Z_PK FROM \(reference.ownName) o
            JOIN \(reference.otherName) d ON d.Z_PK = o.\(reference.columnName)
            WHERE \(checked.kind("o", reference.entity.index)) AND d.\(SQL.quoteIdentifier(name)) IS NOT o.Z_PK
            ORDER BY o.Z_PK
            """
        var first: (key: Int64, target: Int64)?
        var count = 0
        try checked.each(query) { row in
            first = first ?? (row.integer(at: 0), row.integer(at: 1))
            count += 1
        }
        guard let first else { return }
        let message =
            count == 1
            ? "p\(first.key) refers to p\(first.target), whose \(mirror.name) does not refer back"
            : "\(count) objects refer to objects whose \(mirror.name) does not refer back, the first is p\(first.key) "
                + "with p\(first.target)"
        // Apple's own stores have such pairs. Core Data reads each side as it is stored.
        findings.add(
            .storeCorrupt, message, severity: .warning, entity: reference.entity.name,
            property: reference.relationship.name, table: reference.own, key: first.key, column: reference.column,
            advice: StoreAdvice.oneSided)
    }
}
