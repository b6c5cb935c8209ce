import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// The columns of an entity's values, and the statement that reads them.
struct PlainPlan {
    enum Property {
        /// - Parameter isTagged: whether each value begins with a tag byte of external storage.
        case attribute(Schema.Attribute, isTagged: Bool)
        /// - Parameter entityCell: the cell with the number of the destination's entity; nil without such a column.
        case toOne(Schema.Relationship, entityCell: Int?)
    }

    struct Column {
        let name: String
        let property: Property
        /// The index among the cells of a row.
        let cell: Int
    }

    let table: String
    private(set) var columns: [Column] = []
    private var names: [String] = []
    private let number: Int

    init(_ entity: Schema.Entity, _ layout: StoreLayout) {
        let table = layout.tables[layout.tableOfEntity[entity.index]]
        self.table = table.name
        number = entity.number
        for attribute in entity.attributes where attribute.isPersistent {
            let column = table.columns.first {
                $0.isAttribute && $0.entity == attribute.owner && $0.slot == attribute.slot
            }
            guard let column else { continue }
            let isTagged = attribute.description.allowsExternalBinaryDataStorage
            columns.append(
                Column(name: column.name, property: .attribute(attribute, isTagged: isTagged), cell: names.count))
            names.append(column.name)
        }
        for relationship in entity.relationships where relationship.isPersistent && !relationship.isToMany {
            let own = table.columns.filter { $0.entity == relationship.owner && $0.slot == relationship.slot }
            guard let key = own.first(where: { $0.content == .reference }) else { continue }
            let number = own.first { $0.content == .referenceEntity }
            columns.append(
                Column(
                    name: key.name,
                    property: .toOne(relationship, entityCell: number == nil ? nil : names.count + 1),
                    cell: names.count))
            names += [key.name] + (number.map { [$0.name] } ?? [])
        }
    }

    var select: String {
        let list = (["Z_PK", "Z_OPT"] + names).map(PlainStore.quoted).joined(separator: ", ")
        return "SELECT \(list) FROM \(PlainStore.quoted(table)) WHERE Z_ENT = \(number) ORDER BY Z_PK"
    }
}

extension EntityTable.Column {
    fileprivate var isAttribute: Bool { if case .attribute = content { true } else { false } }
}
