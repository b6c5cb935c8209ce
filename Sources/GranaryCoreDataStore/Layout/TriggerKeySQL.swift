package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranaryPredicates

/// The triggers of attributes with a trigger key: the number of related objects that satisfy a condition.
///
/// The statements are those of a store of framework 1251 (14 of 14 triggers: one attribute over a to-one, one over a
/// to-many). The condition is a list of comparisons joined by AND, each of an attribute of the destination with an
/// integer or a Boolean. The statements of other conditions are not known.
package struct TriggerKeySQL {
    /// The key of the user info. Its value is a predicate.
    package static let key = "NSTriggerKey"

    package struct Trigger {
        package let name: String
        /// The table whose changes fire it.
        package let table: String
        package let sql: String
    }

    package private(set) var triggers: [Trigger] = []
    /// Warnings about attributes without triggers.
    package private(set) var omissions: [Diagnostic] = []

    private let schema: Schema
    private let layout: StoreLayout

    package init(schema: Schema, layout: StoreLayout) {
        self.schema = schema
        self.layout = layout
        var names = UniqueNames()
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.owner == entity.index {
                guard let value = attribute.description.userInfo[Self.key] else { continue }
                guard let count = count(value, attribute, entity) else {
                    omissions.append(
                        Diagnostic(
                            .storeLayout,
                            "the triggers of its user info (\(Self.key)) are not created, since Core Data's statements for "
                                + "this condition are not known; the value stays as it is written", severity: .warning,
                            entity: entity.name, property: attribute.name))
                    continue
                }
                for trigger in count.isToMany ? count.toMany : count.toOne {
                    let name = names.take("ZT_\(count.table)_\(count.column)_\(count.other)_\(trigger.kind)")
                    triggers.append(
                        Trigger(
                            name: name, table: trigger.table,
                            sql: "CREATE TRIGGER \(name) AFTER \(trigger.event) BEGIN \(trigger.body); END"))
                }
            }
        }
    }

    /// The names of one attribute's tables and columns, and its condition.
    fileprivate struct Count {
        /// The table and the column with the number.
        let table: String
        let column: String
        /// The table of the counted objects.
        let other: String
        /// The foreign key: in ``table`` for a to-one, in ``other`` for a to-many.
        let reference: String
        let isToMany: Bool
        /// The columns of the condition, with operator and constant.
        let comparisons: [(column: String, rest: String)]
    }

    private func count(_ value: UserInfoValue, _ attribute: Schema.Attribute, _ entity: Schema.Entity) -> Count? {
        guard attribute.isPersistent, let column = layout.column(of: attribute), let text = value.string,
            let predicate = try? ObjectPredicate.parse(text)
        else { return nil }
        let parts: [ObjectPredicate]
        switch predicate {
        case .and(let list): parts = list
        case .comparison: parts = [predicate]
        default: return nil
        }
        var relationshipName: Substring?
        var conditions: [(property: String, rest: String)] = []
        for part in parts {
            guard let (path, rest) = Self.comparison(part) else { return nil }
            let names = path.split(separator: ".", omittingEmptySubsequences: false)
            guard names.count == 2, relationshipName == nil || relationshipName == names[0] else { return nil }
            relationshipName = names[0]
            conditions.append((String(names[1]), rest))
        }
        guard let relationshipName, let relationship = entity.relationship(named: String(relationshipName)) else {
            return nil
        }
        let destination = schema.entities[relationship.destination]
        let comparisons = conditions.compactMap { property, rest in
            destination.attribute(named: property).flatMap(layout.column(of:)).map { (column: $0, rest: rest) }
        }
        guard comparisons.count == conditions.count, !comparisons.isEmpty,
            let reference = reference(of: relationship)
        else { return nil }
        return Count(
            table: layout.tableName(of: entity.index), column: column,
            other: layout.tableName(of: destination.index), reference: reference, isToMany: relationship.isToMany,
            comparisons: comparisons)
    }

    /// The foreign key of a to-one, or of the to-one that is a to-many's inverse.
    private func reference(of relationship: Schema.Relationship) -> String? {
        guard relationship.isToMany else { return layout.column(of: relationship) }
        guard relationship.inverse != nil, case .foreignKey(_, let column, _, _)? = layout.linkPlace(of: relationship)
        else { return nil }
        return column
    }

    /// The key path of a comparison, and its operator and constant in SQL.
    private static func comparison(_ part: ObjectPredicate) -> (path: String, rest: String)? {
        guard case .comparison(let comparison) = part, case .keyPath(let path) = comparison.left,
            comparison.options.isEmpty, comparison.modifier == .direct, case .constant(let value) = comparison.right,
            comparison.operation == .equal || comparison.operation == .notEqual
        else { return nil }
        let sign = comparison.operation.rawValue
        switch value {
        case .integer(let number): return (path, "\(sign) \(number)")
        case .boolean(let truth): return (path, "\(sign) \(truth ? 1 : 0)")
        default: return nil
        }
    }
}

extension TriggerKeySQL.Count {
    /// A trigger: the end of its name, the event and condition, and the statements.
    fileprivate typealias Part = (kind: String, table: String, event: String, body: String)

    private func condition(_ row: String) -> String {
        comparisons.map { "\(row)\($0.column) \($0.rest)" }.joined(separator: " AND ")
    }

    private var changes: String {
        comparisons.map { "NEW.\($0.column) != OLD.\($0.column)" }.joined(separator: " OR ")
    }

    private var columns: String { comparisons.map(\.column).joined(separator: ", ") }
    private var increment: String { "IFNULL(\(column),0) + 1" }
    private var decrement: String { "MAX(0,IFNULL(\(column),0) - 1)" }

    /// The UPDATE of the number, and the call that tells the context.
    private func body(_ value: String, where match: String, told: String) -> String {
        "UPDATE \(table) SET \(column) = \(value) WHERE \(match); "
            + "SELECT NSCoreDataTriggerUpdateAffectedObjectValue('\(table)', Z_ENT, Z_PK, '\(column)', \(column)) "
            + "FROM \(table) WHERE \(told)"
    }

    private static let own = "Z_PK = NEW.Z_PK"

    fileprivate var toOne: [Part] {
        let update = "UPDATE OF \(columns) ON \(other) FOR EACH ROW WHEN"
        let told = "\(reference) = NEW.Z_PK"
        let (new, old) = ("NEW.Z_PK = \(reference)", "OLD.Z_PK = \(reference)")
        return [
            (
                "INSERT_INCREMENT", other, "INSERT ON \(other) FOR EACH ROW WHEN \(condition("NEW."))",
                body(increment, where: new, told: told)
            ),
            (
                "UPDATE_INCREMENT", other, "\(update) (\(condition("NEW."))) AND (\(changes))",
                body(increment, where: new, told: told)
            ),
            (
                "UPDATE_DECREMENT", other, "\(update) (\(condition("OLD."))) AND (\(changes))",
                body(decrement, where: old, told: told)
            ),
            (
                "DELETE_DECREMENT", other, "DELETE ON \(other) FOR EACH ROW WHEN \(condition("OLD."))",
                body(decrement, where: old, told: "\(reference) = OLD.Z_PK")
            ),
            (
                "\(table)_INSERT_INCREMENT", table, "INSERT ON \(table) FOR EACH ROW",
                body(
                    "(SELECT COUNT(Z_PK) FROM \(other) WHERE (Z_PK = NEW.\(reference)) AND (\(condition(""))))",
                    where: Self.own, told: Self.own)
            ),
            (
                "\(reference)_UPDATE_TO_NULL", table,
                "UPDATE OF \(reference) ON \(table) WHEN (NEW.\(reference) IS NULL AND OLD.\(reference) IS NOT NULL)",
                body("0", where: Self.own, told: Self.own)
            ),
            (
                "\(reference)_UPDATE_INCREMENT", table,
                "UPDATE OF \(reference) ON \(table) WHEN ((NEW.\(reference) IS NOT NULL AND OLD.\(reference) IS NULL) "
                    + "OR (NEW.\(reference) != OLD.\(reference)))",
                body(
                    "(SELECT COUNT(Z_PK) FROM \(other) WHERE Z_PK = NEW.\(reference) AND (\(condition(""))))",
                    where: Self.own, told: Self.own)
            ),
        ]
    }

    fileprivate var toMany: [Part] {
        let update = "UPDATE OF \(columns) ON \(other) FOR EACH ROW WHEN"
        let move = "UPDATE OF \(reference) ON \(other) WHEN"
        let (new, old) = ("NEW.\(reference)", "OLD.\(reference)")
        let told = "Z_PK = \(new)"
        return [
            (
                "INSERT_INCREMENT", other, "INSERT ON \(other) FOR EACH ROW WHEN \(condition("NEW."))",
                body(increment, where: "\(new) = Z_PK", told: told)
            ),
            (
                "UPDATE_INCREMENT", other, "\(update) (\(condition("NEW."))) AND (\(changes)) AND (\(new) == \(old))",
                body(increment, where: "\(new) = Z_PK", told: told)
            ),
            (
                "UPDATE_DECREMENT", other, "\(update) (\(condition("OLD."))) AND (\(changes)) AND (\(old) == \(new))",
                body(decrement, where: "\(old) = Z_PK", told: told)
            ),
            (
                "DELETE_DECREMENT", other, "DELETE ON \(other) FOR EACH ROW WHEN \(condition("OLD."))",
                body(decrement, where: "\(old) = Z_PK", told: "Z_PK = \(old)")
            ),
            (
                "\(table)_INSERT_INCREMENT", table, "INSERT ON \(table) FOR EACH ROW",
                body(
                    "(SELECT COUNT(Z_PK) FROM \(other) WHERE (\(reference) = NEW.Z_PK) AND (\(condition(""))))",
                    where: Self.own, told: Self.own)
            ),
            (
                "\(reference)_UPDATE_INCREMENT", other,
                "\(move) (\(condition("NEW."))) AND ((\(new) IS NOT NULL AND \(old) IS NULL) OR (\(new) != \(old)))",
                body(increment, where: told, told: told)
            ),
            (
                "\(reference)_UPDATE_DECREMENT", other,
                "\(move) (\(condition("OLD."))) AND ((\(old) IS NOT NULL AND \(new) IS NULL) OR (\(new) != \(old)))",
                body(decrement, where: "Z_PK = \(old)", told: "Z_PK = \(old)")
            ),
        ]
    }
}
