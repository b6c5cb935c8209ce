import GranaryCoordination
import GranaryModel

/// The links of a to-many that a derived attribute counts or adds up, and the triggers for that.
///
/// A count, and a sum of whole numbers over a foreign key, change with each member by its part. A minimum or maximum
/// looks at all members only when one changes or leaves. Averages, sums of fractions (adding and taking away would leave
/// rounding errors behind) and whatever goes over a join table are worked out anew from all members of the owner.
struct DerivedLinks {
    /// Where the owner's key stands: the members' table, or a join table.
    let table: String
    let owner: String
    /// Behind a join table: the column of the member's key, and the members' table.
    let join: (destination: String, members: String)?
    let value: Value?

    struct Value {
        let column: String
        /// Whether it is a whole number, and the sum too.
        let isWhole: Bool
        /// The value in an INSERT is not yet the right one.
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
        guard let column = layout.column(entity: source.owner, slot: source.slot) else { return nil }
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

    /// A row that is its own owner is counted by SOURCE_INSERT, which SQLite may run before.
    private func insertCondition(_ target: DerivedColumn) -> String {
        "NEW.\(owner) NOT NULL" + (target.table == table ? " AND NEW.\(owner) <> NEW.Z_PK" : "")
    }

    private func countTriggers(_ target: DerivedColumn) -> [DerivedColumn.Trigger] {
        let column = target.name
        let (new, old) = ("Z_PK = NEW.\(owner)", "Z_PK = OLD.\(owner)")
        return [
            target.trigger(
                "PARAMETER_INSERT", on: table, "INSERT", when: insertCondition(target),
                set: "IFNULL(\(column), 0) + 1", where: new),
            target.trigger(
                "PARAMETER_UPDATE_INCREMENT", on: table, "UPDATE OF \(owner)", when: "NEW.\(owner) NOT NULL",
                set: "\(column) + 1", where: new),
            target.trigger(
                "PARAMETER_UPDATE_DECREMENT", on: table, "UPDATE OF \(owner)", when: "OLD.\(owner) NOT NULL",
                set: "\(column) - 1", where: old),
            target.trigger(
                "PARAMETER_DELETE", on: table, "DELETE", when: "OLD.\(owner) NOT NULL", set: "\(column) - 1", where: old
            ),
            target.trigger(
                "SOURCE_INSERT", on: target.table, "INSERT",
                set: "(SELECT IFNULL(COUNT(\(owner)), 0) FROM \(table) WHERE \(owner) = NEW.Z_PK)",
                where: "Z_PK = NEW.Z_PK"),
        ]
    }

    /// Over a foreign key.
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
            // Too large for 64 bits, a sum turns into a fraction; SUM refuses that.
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
        let (new, old) = ("Z_PK = NEW.\(key)", "Z_PK = OLD.\(key)")
        return [
            target.trigger(
                "PARAMETER_INSERT", on: table, "INSERT", when: insertCondition(target), set: inserted, where: new),
            target.trigger(
                "PARAMETER_UPDATE_INCREMENT", on: table, "UPDATE OF \(key), \(source)",
                when: "NEW.\(key) NOT NULL AND (NEW.\(key) IS NOT OLD.\(key) OR NEW.\(source) IS NOT OLD.\(source))",
                set: changed, where: new),
            target.trigger(
                "PARAMETER_UPDATE_DECREMENT", on: table, "UPDATE OF \(key)",
                when: "OLD.\(key) NOT NULL AND NEW.\(key) IS NOT OLD.\(key)", set: left, where: old),
            target.trigger(
                "PARAMETER_DELETE", on: table, "DELETE", when: "OLD.\(key) NOT NULL", set: left, where: old),
            target.trigger(
                "SOURCE_INSERT", on: target.table, "INSERT", set: all("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK"),
        ]
    }

    private func joinTriggers(
        _ target: DerivedColumn, _ aggregate: DerivedExpression.Aggregate, _ value: Value, _ destination: String,
        _ members: String
    ) -> [DerivedColumn.Trigger] {
        func all(_ row: String) -> String {
            "(SELECT \(Self.call(aggregate, "d.\(value.column)")) FROM \(table) j JOIN \(members) d "
                + "ON d.Z_PK = j.\(destination) WHERE j.\(owner) = \(row))"
        }
        let (new, old) = ("Z_PK = NEW.\(owner)", "Z_PK = OLD.\(owner)")
        /// Of all objects that are linked to a member.
        func memberTrigger(_ kind: String, _ event: String, when condition: String?, _ row: String)
            -> DerivedColumn.Trigger
        {
            target.trigger(
                kind, on: members, event, when: condition, set: all("\(target.table).Z_PK"),
                where: "Z_PK IN (SELECT \(owner) FROM \(table) WHERE \(destination) = \(row).Z_PK)")
        }
        return [
            target.trigger(
                "PARAMETER_INSERT", on: table, "INSERT", when: "NEW.\(owner) NOT NULL", set: all("NEW.\(owner)"),
                where: new),
            target.trigger(
                "PARAMETER_UPDATE_INCREMENT", on: table, "UPDATE OF \(owner), \(destination)",
                when: "NEW.\(owner) NOT NULL", set: all("NEW.\(owner)"), where: new),
            target.trigger(
                "PARAMETER_UPDATE_DECREMENT", on: table, "UPDATE OF \(owner)",
                when: "OLD.\(owner) NOT NULL AND NEW.\(owner) IS NOT OLD.\(owner)", set: all("OLD.\(owner)"),
                where: old),
            target.trigger(
                "PARAMETER_DELETE", on: table, "DELETE", when: "OLD.\(owner) NOT NULL", set: all("OLD.\(owner)"),
                where: old),
            memberTrigger("PARAMETER_INSERT", "INSERT", when: nil, "NEW"),
            memberTrigger(
                "PARAMETER_UPDATE", "UPDATE OF \(value.column)",
                when: "NEW.\(value.column) IS NOT OLD.\(value.column)", "NEW"),
            memberTrigger("PARAMETER_DELETE", "DELETE", when: nil, "OLD"),
            target.trigger(
                "SOURCE_INSERT", on: target.table, "INSERT", set: all("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK"),
        ]
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
