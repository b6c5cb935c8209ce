import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Finds objects with equal values that a uniqueness constraint of the model forbids.
struct UniqueValueCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for entity in checked.schema.entities {
            for constraint in entity.uniquenessConstraints where constraint.owner == entity.index {
                try check(constraint, of: entity, &findings)
            }
        }
    }

    private func check(
        _ constraint: Schema.UniquenessConstraint, of entity: Schema.Entity, _ findings: inout StoreFindings
    ) throws {
        let columns = constraint.names.compactMap { checked.layout.column(ofProperty: $0, in: entity) }
        guard columns.count == constraint.properties.count, !columns.isEmpty,
            let table = checked.rowTable(of: entity.index), checked.has(table, columns)
        else { return }
        let names = columns.map { "o.\(SQL.quoteIdentifier($0))" }
        let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        // The column may have another collation.
        let groups = names.map { "\($0) COLLATE BINARY" }.joined(separator: ", ")
        let query = """
            SELECT MIN(o.Z_PK), MAX(o.Z_PK), COUNT(*) FROM \(SQL.quoteIdentifier(table)) o
            WHERE \(checked.kind("o", entity.index)) AND \(present) GROUP BY \(groups) HAVING COUNT(*) > 1 ORDER BY 1
            """
        try checked.each(query) { row in
            let (first, last, count) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
            let more = count > 2 ? ", \(count) objects in all" : ""
            findings.add(
                .uniqueDuplicate, "p\(first) and p\(last) have the same value\(more)", entity: entity.name,
                property: constraint.names.joined(separator: ","), coreDataCode: 1551, table: table, key: last,
                column: columns.joined(separator: ","),
                advice: StoreAdvice.changeValue)
        }
    }
}
