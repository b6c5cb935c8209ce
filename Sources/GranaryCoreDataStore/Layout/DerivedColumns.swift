package import GranaryBase
import GranaryCoordination
package import GranaryModel

extension StoreLayout {
    /// The columns of derived attributes by table.
    package func derivedColumns(of schema: Schema) -> [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.description.derivationExpression != nil {
                guard let column = column(entity: attribute.owner, slot: attribute.slot) else { continue }
                columns[tables[tableOfEntity[entity.index]].name, default: []].insert(column)
            }
        }
        return columns
    }
}

extension SQLiteStore {
    /// Warnings about derived attributes that Granary writes no triggers for: they are NULL until an app saves the
    /// objects.
    package static func derivedAttributeWarnings(for schema: Schema) -> [Diagnostic] {
        let plan = DerivedPlan(schema: schema, layout: StoreLayoutBuilder.layout(for: schema))
        return plan.uncomputed.map { entity, attribute in
            Diagnostic(
                .storeLayout,
                "Granary does not compute \"\(attribute.description.derivationExpression ?? "")\"; the column stays NULL until "
                    + "an app saves the object", severity: .warning, entity: entity.name, property: attribute.name)
        }
    }
}
