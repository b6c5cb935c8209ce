import GranaryBase
import GranaryModel
import GranarySQLite

/// Looks for values of properties that a row's entity does not have: a table holds an entity with all its subentities.
///
/// Such a value is nobody's. A reference is worse: the object then stands in a list that takes no object of its entity.
struct StrayValueCheck {
    /// How many columns one query looks at: SQLite gives a function at most 127 arguments, older ones 100.
    private static let columnsPerQuery = 60

    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for table in checked.layout.tables where checked.rowTable(of: table.root) != nil {
            let present = table.columns.filter { checked.has(table.name, [$0.name]) }
            let columnsOfEntity = Dictionary(grouping: present) { holder(of: $0) ?? table.root }
            for entity in checked.schema.entities[table.root].family where entity != table.root {
                var columns = columnsOfEntity[entity] ?? []
                while !columns.isEmpty {
                    let some = Array(columns.prefix(Self.columnsPerQuery))
                    columns.removeFirst(some.count)
                    try check(some, of: entity, in: table, &findings)
                }
            }
        }
    }

    /// The entity whose objects may have a value in a column; nil for columns that mean nothing alone.
    private func holder(of column: EntityTable.Column) -> Int? {
        switch column.content {
        case .attribute, .reference: column.entity
        case .owner:
            checked.schema.entities[column.entity].relationships.first { $0.slot == column.slot }?.destination
        case .referenceEntity, .order: nil
        }
    }

    private func check(
        _ columns: [EntityTable.Column], of entity: Int, in table: EntityTable, _ findings: inout StoreFindings
    ) throws {
        let names = columns.map { "o.\(SQL.quoteIdentifier($0.name))" }
        let query = """
            SELECT o.Z_PK, o.Z_ENT, \(names.map { "\($0) IS NOT NULL" }.joined(separator: ", "))
            FROM \(SQL.quoteIdentifier(table.name)) o
            WHERE \(checked.kind("o", table.root)) AND NOT (\(checked.kind("o", entity)))
            AND COALESCE(NULL, \(names.joined(separator: ", "))) IS NOT NULL ORDER BY o.Z_PK
            """
        let entities = checked.schema.entities
        try checked.each(query) { row in
            let (key, number) = (row.integer(at: 0), row.integer(at: 1))
            guard number >= 1, number <= Int64(entities.count) else { return }
            let own = entities[Int(number) - 1].name
            for (index, column) in columns.enumerated() where row.integer(at: index + 2) != 0 {
                findings.add(
                    .storeCorrupt, "p\(key) has a value for it, but is of \(own), not of \(entities[entity].name)",
                    severity: severity(of: column), entity: entities[column.entity].name,
                    property: property(of: column), table: table.name, key: key, column: column.name,
                    mend: "UPDATE \(table.name) SET \(column.name) = NULL WHERE Z_PK = \(key)")
            }
        }
    }

    private func severity(of column: EntityTable.Column) -> Diagnostic.Severity {
        if case .attribute = column.content { return .warning }
        return .error
    }

    private func property(of column: EntityTable.Column) -> String? {
        let entity = checked.schema.entities[column.entity]
        return entity.attributes.first { $0.slot == column.slot }?.name
            ?? entity.relationships.first { $0.slot == column.slot }?.name
    }
}
