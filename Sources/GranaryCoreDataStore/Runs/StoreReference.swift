import GranaryCoordination
import GranaryModel

/// A column that holds keys of another table's rows.
struct StoreReference: Hashable {
    let table: String
    let column: String
    let destination: String
}

extension StoreLayout {
    /// All columns with keys: of references, of owners, and both of each join table; in a fixed order.
    func references(schema: Schema) -> [StoreReference] {
        var found: [StoreReference] = []
        for table in tables {
            for column in table.columns {
                switch column.content {
                case .reference:
                    let relationship = schema.entities[column.entity].relationships.first {
                        $0.owner == column.entity && $0.slot == column.slot
                    }
                    guard let relationship else { continue }
                    found.append(
                        StoreReference(
                            table: table.name, column: column.name, destination: name(ofTable: relationship.destination)
                        ))
                case .owner:
                    found.append(
                        StoreReference(
                            table: table.name, column: column.name, destination: name(ofTable: column.entity)))
                case .attribute, .referenceEntity, .order: break
                }
            }
        }
        for entity in schema.entities {
            for relationship in entity.relationships where relationship.owner == entity.index {
                guard case .join(let join, let owner, let destination, _)? = linkPlace(of: relationship) else {
                    continue
                }
                let table = joinTables[join].name
                found.append(
                    StoreReference(table: table, column: owner, destination: name(ofTable: relationship.owner)))
                found.append(
                    StoreReference(
                        table: table, column: destination, destination: name(ofTable: relationship.destination)))
            }
        }
        var seen: Set<StoreReference> = []
        return found.filter { seen.insert($0).inserted }
    }

    private func name(ofTable entity: Int) -> String { tables[tableOfEntity[entity]].name }
}
