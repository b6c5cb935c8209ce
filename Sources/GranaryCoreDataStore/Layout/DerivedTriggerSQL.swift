import GranaryCoordination
package import GranaryModel

/// The triggers that keep derived attributes right (sqlite-layout §9).
///
/// Real stores show the text for a count over a foreign key and for the value at the end of a to-one; that for `now()` on
/// an update has been described. The others follow their pattern.
package struct DerivedTriggerSQL {
    let schema: Schema
    let layout: StoreLayout

    package init(schema: Schema, layout: StoreLayout) {
        self.schema = schema
        self.layout = layout
    }

    func statements() -> [String] { named().map(\.sql) }

    /// Those that every store of Core Data's has, by all that real ones show: for a count over a foreign key, and for the
    /// value at the end of a to-one.
    package func settled() -> [(table: String, name: String, sql: String)] {
        named().filter { isSettled($0.item) && !$0.name.hasSuffix("_PARAMETER_DELETE") }.map { statement in
            (layout.tables[layout.tableOfEntity[statement.item.attribute.owner]].name, statement.name, statement.sql)
        }
    }

    private func named() -> [(item: DerivedPlan.Item, name: String, sql: String)] {
        // Names that differ in case, or in where a `_` belongs, would meet.
        var names = UniqueNames()
        return DerivedPlan(schema: schema, layout: layout).computed.flatMap { item in
            triggers(item).map { trigger in
                let name = names.take(trigger.name)
                return (item, name, "CREATE TRIGGER \(name) \(trigger.body)")
            }
        }
    }

    private func isSettled(_ item: DerivedPlan.Item) -> Bool {
        switch item.source {
        case .toOne(_, _, let function): return function == nil
        case .aggregate(.count, let relationship, _):
            if case .foreignKey? = layout.linkPlace(of: relationship) { return true }
            return false
        case .now, .own, .aggregate: return false
        }
    }

    private func triggers(_ item: DerivedPlan.Item) -> [DerivedColumn.Trigger] {
        guard let column = DerivedColumn(item, schema: schema, layout: layout) else { return [] }
        switch item.source {
        // Each save of an object raises its version.
        case .now: return ownTriggers(column, of: "Z_OPT", value: "NSCoreDataNow()")
        case .own(let source, let function):
            guard let sourceColumn = layout.column(entity: source.owner, slot: source.slot) else { return [] }
            return ownTriggers(column, of: sourceColumn, value: Self.call(function, sourceColumn))
        case .toOne(let relationship, let source, let function):
            return valueTriggers(column, relationship, source, function)
        case .aggregate(let aggregate, let relationship, let source):
            guard let links = DerivedLinks(relationship, source, of: item.attribute, layout: layout) else { return [] }
            return links.triggers(for: column, aggregate)
        }
    }

    private static func call(_ function: DerivedExpression.TextFunction?, _ column: String) -> String {
        function.map { "\($0.sqlName)(\(column))" } ?? column
    }

    /// Of one row alone.
    private func ownTriggers(
        _ column: DerivedColumn, of changed: String, value: String
    ) -> [DerivedColumn.Trigger] {
        [("INSERT", "INSERT"), ("UPDATE", "UPDATE OF \(changed)")].map { kind, event in
            column.trigger(kind, on: column.table, event, set: value, where: "Z_PK = NEW.Z_PK")
        }
    }

    private func valueTriggers(
        _ column: DerivedColumn, _ relationship: Schema.Relationship, _ source: Schema.Attribute,
        _ function: DerivedExpression.TextFunction?
    ) -> [DerivedColumn.Trigger] {
        guard let sourceColumn = layout.column(entity: source.owner, slot: source.slot),
            let reference = layout.column(entity: relationship.owner, slot: relationship.slot)
        else { return [] }
        let table = column.table
        let other = layout.tableName(of: relationship.destination)
        let value = Self.call(function, sourceColumn)

        func trigger(_ kind: String, on owner: String, _ event: String, row: String, where match: String)
            -> DerivedColumn.Trigger
        {
            column.trigger(
                kind, on: owner, event, set: "(SELECT \(value) FROM \(other) WHERE Z_PK = \(row))", where: match)
        }
        let referrers = "\(reference) = NEW.Z_PK"
        var triggers = [
            trigger("SOURCE_INSERT", on: table, "INSERT", row: "NEW.\(reference)", where: "Z_PK = NEW.Z_PK"),
            trigger(
                "SOURCE_UPDATE", on: table, "UPDATE OF \(reference)", row: "NEW.\(reference)",
                where: "Z_PK = NEW.Z_PK"),
            trigger("PARAMETER_INSERT", on: other, "INSERT", row: "NEW.Z_PK", where: referrers),
            trigger("PARAMETER_UPDATE", on: other, "UPDATE OF \(sourceColumn)", row: "NEW.Z_PK", where: referrers),
        ]
        if mayDangle(relationship) {
            triggers.append(
                column.trigger(
                    "PARAMETER_DELETE", on: other, "DELETE", set: "NULL", where: "\(reference) = OLD.Z_PK"))
        }
        return triggers
    }

    /// Whether a reference may stay when its object goes: other delete rules set it to NULL first, or take its row along.
    private func mayDangle(_ relationship: Schema.Relationship) -> Bool {
        guard let inverse = relationship.inverse else { return true }
        let rule = schema.entities[inverse.owner].relationships[inverse.relationship].description.deleteRule
        return rule == .noAction
    }
}
