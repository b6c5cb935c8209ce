import GranaryCoordination
import GranaryModel

/// A column that holds keys of another table's rows.
struct StoreReference: Hashable {
    let table: String
    let column: String
    let destination: String
}

extension StoreLayout {
    /// All columns that hold keys: of references, of owners, and both columns of each join table, in a fixed order.
    func references(schema: Schema) -> [StoreReference] {
        var found: [StoreReference] = []
        var seen: Set<StoreReference> = []
        func add(_ table: String, _ column: String, _ destination: Int) {
            let reference = StoreReference(table: table, column: column, destination: tableName(of: destination))
            if seen.insert(reference).inserted { found.append(reference) }
        }
        for table in tables {
            for column in table.columns {
                switch column.content {
                case .reference:
                    let relationship = schema.entities[column.entity].relationships.first {
                        $0.owner == column.entity && $0.slot == column.slot
                    }
                    if let relationship { add(table.name, column.name, relationship.destination) }
                case .owner: add(table.name, column.name, column.entity)
                case .attribute, .enumerationCase, .referenceEntity, .order: break
                }
            }
        }
        for entity in schema.entities {
            for relationship in entity.relationships where relationship.owner == entity.index {
                guard case .join(let join, let owner, let destination, _)? = linkPlace(of: relationship) else {
                    continue
                }
                add(joinTables[join].name, owner, relationship.owner)
                add(joinTables[join].name, destination, relationship.destination)
            }
        }
        return found
    }
}
