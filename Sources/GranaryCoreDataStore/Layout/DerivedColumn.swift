package import GranaryBase
import GranaryCoordination
package import GranaryModel

/// The column of a derived attribute, and the triggers that set it.
struct DerivedColumn {
    let table: String
    let name: String
    let entityName: String
    let attributeName: String
    /// The SQL condition that selects rows of the attribute's entity; empty if the table has no other entities.
    let restriction: String

    init?(_ item: DerivedPlan.Item, schema: Schema, layout: StoreLayout) {
        guard let column = layout.column(of: item.attribute) else { return nil }
        let family = item.entity.family
        table = layout.tableName(of: item.entity.index)
        name = column
        entityName = item.entity.name
        attributeName = item.attribute.name
        restriction =
            family == schema.entities[item.entity.root].family
            ? "" : " AND Z_ENT BETWEEN \(family.lowerBound + 1) AND \(family.upperBound)"
    }

    struct Trigger {
        let name: String
        /// The statement after the name.
        let body: String
    }

    /// Returns a trigger in the form of Core Data's triggers for derived attributes
    /// (docs/core-data/sqlite-layout.md#derived-attributes): it sets the column, then notifies the context.
    ///
    /// - Parameters:
    ///   - kind: the end of the name: `SOURCE_` for changes of the object itself, `PARAMETER_` for changes of other
    ///     objects.
    ///   - owner: the table whose changes fire the trigger.
    ///   - isRestricted: whether the condition names the attribute's entity. Core Data's triggers for a value over a
    ///     to-one do not: the foreign key is a column of that entity only.
    func trigger(
        _ kind: String, on owner: String, _ event: String, when condition: String? = nil, set value: String,
        where match: String, isRestricted: Bool = true
    ) -> Trigger {
        let rows = match + (isRestricted ? restriction : "")
        // Only a value over a to-one has a trigger for inserted destinations that sets a whole value.
        let isInsert = kind == "SOURCE_INSERT" || kind == "INSERT" || kind == "PARAMETER_INSERT" && !isRestricted
        let function = isInsert ? "InsertUpdated" : "Updated"
        return Trigger(
            name: "Z_DA_\(owner)_\(entityName)_\(attributeName)_\(kind)",
            body: "AFTER \(event) ON \(owner) FOR EACH ROW " + (condition.map { "WHEN (\($0)) " } ?? "")
                + "BEGIN UPDATE \(table) SET \(name) = \(value) WHERE \(rows); "
                + "SELECT NSCoreDataDATrigger\(function)AffectedObjectValue('\(table)', Z_ENT, Z_PK, "
                + "'\(attributeName)', \(name)) FROM \(table) WHERE \(rows); END")
    }
}

extension StoreLayout {
    /// The columns that Core Data's triggers set, by table: those of derived attributes and of attributes with a
    /// trigger key (``TriggerKeySQL``).
    package func derivedColumns(of schema: Schema) -> [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        for entity in schema.entities {
            for attribute in entity.attributes
            where attribute.description.derivationExpression != nil
                || attribute.description.userInfo[TriggerKeySQL.key] != nil
            {
                guard let column = column(of: attribute) else { continue }
                columns[tableName(of: entity.index), default: []].insert(column)
            }
        }
        return columns
    }
}

extension SQLiteStore {
    /// Warnings about derived attributes without triggers. They are NULL until an app saves the objects.
    package static func derivedAttributeWarnings(for schema: Schema) -> [Diagnostic] {
        DerivedPlan(schema: schema, layout: StoreLayoutBuilder.layout(for: schema)).warnings(
            until: "an app saves the object")
    }
}
