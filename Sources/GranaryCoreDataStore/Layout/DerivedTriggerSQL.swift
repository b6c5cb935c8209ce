import GranaryCoordination
package import GranaryModel

/// The triggers that compute derived attributes (docs/core-data/sqlite-layout.md#derived-attributes).
///
/// The SQL for a count over a foreign key and for a value over a to-one is taken from real stores (124 of 124 triggers
/// of 31 attributes over a to-one), and for `now()` on an update from a description. The other triggers follow the same
/// pattern.
package struct DerivedTriggerSQL {
    let schema: Schema
    let layout: StoreLayout

    package init(schema: Schema, layout: StoreLayout) {
        self.schema = schema
        self.layout = layout
    }

    func statements() -> [String] { named().map(\.sql) }

    /// The triggers that all known stores of Core Data have: for a count over a foreign key, and for a value over a
    /// to-one.
    package func confirmed() -> [(table: String, name: String, sql: String)] {
        named().filter { isConfirmed($0.item) && !$0.name.hasSuffix("_PARAMETER_DELETE") }.map { statement in
            (layout.tableName(of: statement.item.attribute.owner), statement.name, statement.sql)
        }
    }

    /// The names of the triggers that set the time of a save.
    func timeTriggers() -> [String] {
        named().compactMap { statement in if case .now = statement.item.source { statement.name } else { nil } }
    }

    private func named() -> [(item: DerivedPlan.Item, name: String, sql: String)] {
        // Names that differ only in case, or whose parts contain `_`, may be equal.
        var names = UniqueNames()
        return DerivedPlan(schema: schema, layout: layout).computed.flatMap { item in
            triggers(item).map { trigger in
                let name = names.take(trigger.name)
                return (item, name, "CREATE TRIGGER \(name) \(trigger.body)")
            }
        }
    }

    private func isConfirmed(_ item: DerivedPlan.Item) -> Bool {
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
        // Every save of an object raises its version.
        case .now: return ownTriggers(column, of: "Z_OPT", value: "NSCoreDataNow()")
        case .own(let source, let function):
            guard let sourceColumn = layout.column(of: source) else { return [] }
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

    /// The triggers for a value from the same row.
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
        guard let sourceColumn = layout.column(of: source), let reference = layout.column(of: relationship) else {
            return []
        }
        let table = column.table
        let other = layout.tableName(of: relationship.destination)

        func trigger(_ kind: String, on owner: String, _ event: String, value: String, where match: String)
            -> DerivedColumn.Trigger
        {
            column.trigger(kind, on: owner, event, set: value, where: match, isRestricted: false)
        }
        func value(ofRow row: String) -> String {
            "(SELECT \(Self.call(function, sourceColumn)) FROM \(other) WHERE Z_PK = \(row))"
        }
        let (own, referrers) = ("Z_PK = NEW.Z_PK", "\(reference) = NEW.Z_PK")
        let current = value(ofRow: "NEW.\(reference)")
        // Other triggers may set a derived value before this one runs; NEW then has an old value.
        let isFinal = source.description.derivationExpression == nil
        let parameter = isFinal ? Self.call(function, "NEW.\(sourceColumn)") : value(ofRow: "NEW.Z_PK")
        var triggers = [
            trigger("SOURCE_INSERT", on: table, "INSERT", value: current, where: own),
            trigger("SOURCE_UPDATE", on: table, "UPDATE OF \(reference)", value: current, where: own),
            trigger("PARAMETER_INSERT", on: other, "INSERT", value: parameter, where: referrers),
            trigger("PARAMETER_UPDATE", on: other, "UPDATE OF \(sourceColumn)", value: parameter, where: referrers),
        ]
        if mayDangle(relationship) {
            triggers.append(
                trigger("PARAMETER_DELETE", on: other, "DELETE", value: "NULL", where: "\(reference) = OLD.Z_PK"))
        }
        return triggers
    }

    /// Whether a reference may stay when its object is deleted. Other delete rules set it to NULL or delete its row
    /// too.
    private func mayDangle(_ relationship: Schema.Relationship) -> Bool {
        guard let inverse = relationship.inverse else { return true }
        let rule = schema.entities[inverse.owner].relationships[inverse.relationship].description.deleteRule
        return rule == .noAction
    }
}
