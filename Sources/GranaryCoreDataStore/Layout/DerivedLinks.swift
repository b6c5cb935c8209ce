import GranaryCoordination
import GranaryModel

/// The links of a to-many that a derived attribute aggregates, and the triggers that compute the aggregate.
///
/// Counts and sums of integers over a foreign key are updated by the change of each member. Minimums and maximums are
/// recomputed from all members only when a member changes or leaves. Averages, sums of fractions (which would
/// accumulate rounding errors) and all aggregates over a join table are always recomputed.
struct DerivedLinks {
    /// The table with the owner's key: the members' table, or a join table.
    let table: String
    /// The column with the owner's key.
    let owner: String
    /// For a join table, the column with the member's key and the members' table.
    let join: (destination: String, members: String)?
    let value: Value?

    struct Value {
        let column: String
        /// Whether the value and the derived attribute are integers.
        let isWhole: Bool
        /// Whether the value is derived itself. An INSERT then does not have its final value yet.
        let isDerived: Bool
    }

    init?(
        _ relationship: Schema.Relationship, _ source: Schema.Attribute?, of attribute: Schema.Attribute,
        layout: StoreLayout
    ) {
        switch layout.linkPlace(of: relationship) {
        case .foreignKey(let index, let column, _, _)?:
            table = layout.tables[index].name
            owner = column
            join = nil
        case .join(let index, let ownerColumn, let destination, _)?:
            table = layout.joinTables[index].name
            owner = ownerColumn
            join = (destination, layout.tableName(of: relationship.destination))
        case nil: return nil
        }
        guard let source else {
            value = nil
            return
        }
        guard let column = layout.column(of: source) else { return nil }
        let isWhole = attribute.type.integerRange != nil && (source.type.integerRange != nil || source.type == .boolean)
        value = Value(
            column: column, isWhole: isWhole, isDerived: source.description.derivationExpression != nil)
    }

    func triggers(
        for target: DerivedColumn, _ aggregate: DerivedExpression.Aggregate
    ) -> [DerivedColumn.Trigger] {
        guard let value else { return countTriggers(target) }
        if let join { return joinTriggers(target, aggregate, value, join.destination, join.members) }
        return memberTriggers(target, aggregate, value)
    }

    /// The condition of an INSERT trigger. SOURCE_INSERT counts a row that is its own owner, and SQLite may run it
    /// first.
    private func insertCondition(_ target: DerivedColumn) -> String {
        "NEW.\(owner) NOT NULL" + (target.table == table ? " AND NEW.\(owner) <> NEW.Z_PK" : "")
    }

    private func countTriggers(_ target: DerivedColumn) -> [DerivedColumn.Trigger] {
        let column = target.name
        return linkTriggers(
            target, insert: "IFNULL(\(column), 0) + 1",
            update: (columns: owner, condition: "NEW.\(owner) NOT NULL", value: "\(column) + 1"),
            leave: (condition: "OLD.\(owner) NOT NULL", value: "\(column) - 1"),
            all: "(SELECT IFNULL(COUNT(\(owner)), 0) FROM \(table) WHERE \(owner) = NEW.Z_PK)")
    }

    /// The triggers for changes of links in ``table``, and for a new owner.
    ///
    /// - Parameters:
    ///   - insert: the value for the owner of an inserted link.
    ///   - update: the columns whose changes fire the trigger of the new owner, its condition and the value.
    ///   - leave: the condition of the trigger of the former owner, and the value, also after a deletion.
    ///   - all: the value for a new owner.
    private func linkTriggers(
        _ target: DerivedColumn, insert: String, update: (columns: String, condition: String, value: String),
        leave: (condition: String, value: String), all: String
    ) -> [DerivedColumn.Trigger] {
        let (new, old) = ("Z_PK = NEW.\(owner)", "Z_PK = OLD.\(owner)")
        return [
            target.trigger(
                "PARAMETER_INSERT", on: table, "INSERT", when: insertCondition(target), set: insert, where: new),
            target.trigger(
                "PARAMETER_UPDATE_INCREMENT", on: table, "UPDATE OF \(update.columns)", when: update.condition,
                set: update.value, where: new),
            target.trigger(
                "PARAMETER_UPDATE_DECREMENT", on: table, "UPDATE OF \(owner)", when: leave.condition,
                set: leave.value, where: old),
            target.trigger(
                "PARAMETER_DELETE", on: table, "DELETE", when: "OLD.\(owner) NOT NULL", set: leave.value, where: old),
            target.trigger("SOURCE_INSERT", on: target.table, "INSERT", set: all, where: "Z_PK = NEW.Z_PK"),
        ]
    }

    /// The triggers for values over a foreign key.
    private func memberTriggers(
        _ target: DerivedColumn, _ aggregate: DerivedExpression.Aggregate, _ value: Value
    ) -> [DerivedColumn.Trigger] {
        let (key, source, column) = (owner, value.column, target.name)
        func all(_ row: String) -> String {
            "(SELECT \(Self.call(aggregate, source)) FROM \(table) WHERE \(key) = \(row))"
        }
        var inserted = all("NEW.\(key)")
        var changed = inserted
        var left = all("OLD.\(key)")
        if aggregate == .sum, value.isWhole, !value.isDerived {
            // A sum above 64 bits becomes a REAL value. SUM fails instead.
            func sum(_ change: String, _ row: String) -> String {
                "CASE TYPEOF(\(column) \(change)) WHEN 'integer' THEN \(column) \(change) ELSE \(all(row)) END"
            }
            inserted = sum("+ IFNULL(NEW.\(source), 0)", "NEW.\(key)")
            changed = sum(
                "+ IFNULL(NEW.\(source), 0) - CASE WHEN OLD.\(key) IS NEW.\(key) THEN IFNULL(OLD.\(source), 0) "
                    + "ELSE 0 END", "NEW.\(key)")
            left = sum("- IFNULL(OLD.\(source), 0)", "OLD.\(key)")
        } else if aggregate == .min || aggregate == .max, !value.isDerived {
            let function = aggregate == .min ? "MIN" : "MAX"
            inserted = "\(function)(IFNULL(\(column), NEW.\(source)), IFNULL(NEW.\(source), \(column)))"
        }
        let isChanged = "NEW.\(key) NOT NULL AND (NEW.\(key) IS NOT OLD.\(key) OR NEW.\(source) IS NOT OLD.\(source))"
        return linkTriggers(
            target, insert: inserted, update: (columns: "\(key), \(source)", condition: isChanged, value: changed),
            leave: (condition: hasLeft, value: left), all: all("NEW.Z_PK"))
    }

    private var hasLeft: String { "OLD.\(owner) NOT NULL AND NEW.\(owner) IS NOT OLD.\(owner)" }

    private func joinTriggers(
        _ target: DerivedColumn, _ aggregate: DerivedExpression.Aggregate, _ value: Value, _ destination: String,
        _ members: String
    ) -> [DerivedColumn.Trigger] {
        func all(_ row: String) -> String {
            "(SELECT \(Self.call(aggregate, "d.\(value.column)")) FROM \(table) j JOIN \(members) d "
                + "ON d.Z_PK = j.\(destination) WHERE j.\(owner) = \(row))"
        }
        // Updates all objects that are linked to a member.
        func memberTrigger(_ kind: String, _ event: String, when condition: String?, _ row: String)
            -> DerivedColumn.Trigger
        {
            target.trigger(
                kind, on: members, event, when: condition, set: all("\(target.table).Z_PK"),
                where: "Z_PK IN (SELECT \(owner) FROM \(table) WHERE \(destination) = \(row).Z_PK)")
        }
        var triggers = linkTriggers(
            target, insert: all("NEW.\(owner)"),
            update: (
                columns: "\(owner), \(destination)", condition: "NEW.\(owner) NOT NULL", value: all("NEW.\(owner)")
            ),
            leave: (condition: hasLeft, value: all("OLD.\(owner)")), all: all("NEW.Z_PK"))
        triggers.insert(
            contentsOf: [
                memberTrigger("PARAMETER_INSERT", "INSERT", when: nil, "NEW"),
                memberTrigger(
                    "PARAMETER_UPDATE", "UPDATE OF \(value.column)",
                    when: "NEW.\(value.column) IS NOT OLD.\(value.column)", "NEW"),
                memberTrigger("PARAMETER_DELETE", "DELETE", when: nil, "OLD"),
            ], at: triggers.count - 1)
        return triggers
    }

    private static func call(_ aggregate: DerivedExpression.Aggregate, _ column: String) -> String {
        switch aggregate {
        case .count: "COUNT(\(column))"
        case .sum: "IFNULL(SUM(\(column)), 0)"
        case .min: "MIN(\(column))"
        case .max: "MAX(\(column))"
        case .average: "AVG(\(column))"
        }
    }
}
