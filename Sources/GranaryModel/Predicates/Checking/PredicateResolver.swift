package import GranaryBase

/// Checks predicates, expressions and orders against an entity, and converts constants to the types that they are
/// compared with: the text `"2026-01-31"` to a date where it is compared with a date.
///
/// Only a resolved predicate may be evaluated on objects or translated to SQL.
package struct PredicateResolver {
    let schema: Schema
    let entity: Schema.Entity
    /// The kinds of the variables of enclosing subqueries.
    var variables: [String: ExpressionKind] = [:]

    package init(schema: Schema, entity: Schema.Entity) {
        self.schema = schema
        self.entity = entity
    }

    /// - Throws: ``GranaryError`` with code `usage` for an unknown property, function or variable, a wrong number of
    ///   arguments, values that cannot be compared, an invalid regular expression, or a predicate that is too deep; the
    ///   same for the functions below.
    package func resolve(_ predicate: ObjectPredicate) throws(GranaryError) -> ObjectPredicate {
        if predicate.isTooDeep { throw Self.tooDeep }
        return try resolved(predicate)
    }

    package func resolve(_ expression: ObjectExpression) throws(GranaryError) -> ObjectExpression {
        if expression.isTooDeep { throw Self.tooDeep }
        return try resolved(expression).expression
    }

    /// Checks that each key of an order leads to one value that has an order.
    package func check(_ order: [ObjectSortDescriptor]) throws(GranaryError) {
        for descriptor in order {
            switch try kind(ofPath: descriptor.keyPath, from: .object(entity)) {
            case .list:
                throw error(
                    "the key path \(Self.quoted(descriptor.keyPath)) has several values; sort by a single one, such as "
                        + "\(Self.quoted(descriptor.keyPath + ".@count"))")
            case .object:
                throw error(
                    "the key path \(Self.quoted(descriptor.keyPath)) ends at objects; sort by one of their attributes")
            default: break
            }
        }
    }

    private static var tooDeep: GranaryError {
        GranaryError(.usage, "the predicate is nested deeper than the limit of \(ObjectPredicate.depthLimit)")
    }

    // MARK: - Predicates

    private func resolved(_ predicate: ObjectPredicate) throws(GranaryError) -> ObjectPredicate {
        switch predicate {
        case .constant: return predicate
        case .and(let parts): return .and(try resolved(parts))
        case .or(let parts): return .or(try resolved(parts))
        case .not(let part): return .not(try resolved(part))
        case .comparison(let comparison): return .comparison(try resolved(comparison))
        }
    }

    private func resolved(_ parts: [ObjectPredicate]) throws(GranaryError) -> [ObjectPredicate] {
        var result: [ObjectPredicate] = []
        for part in parts { result.append(try resolved(part)) }
        return result
    }

    private func resolved(
        _ comparison: ObjectPredicate.Comparison
    ) throws(GranaryError) -> ObjectPredicate.Comparison {
        var result = comparison
        var (left, right): (ExpressionKind, ExpressionKind)
        (result.left, left) = try resolved(comparison.left)
        (result.right, right) = try resolved(comparison.right)
        if comparison.modifier != .direct {
            left = left.element
        } else if left.isList, comparison.operation != .contains, !right.isList || !comparison.operation.isEquality {
            throw error(
                "\(comparison.left) has several values; compare them with ANY or ALL, or count them with @count")
        }
        try convert(&result, &left, &right)
        guard isAllowed(result.operation, left, right) else {
            throw error(
                "\(comparison.left) is \(left.phrase), \(comparison.right) is \(right.phrase): they cannot be compared "
                    + "by \(comparison.operation.rawValue)")
        }
        if result.operation == .matches, case .constant(.string(let pattern)) = result.right {
            do {
                _ = try Pattern(pattern)
            } catch {
                throw self.error("\(comparison.right) is not a regular expression: \(error)")
            }
        }
        return result
    }

    private func isAllowed(
        _ operation: ObjectPredicate.Operator, _ left: ExpressionKind, _ right: ExpressionKind
    ) -> Bool {
        switch operation {
        case .equal, .notEqual: left.isComparable(with: right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            left.isComparable(with: right) && left.isOrdered && right.isOrdered
        case .matches, .like, .beginsWith, .endsWith: left.isText && right.isText
        case .contains: left.isList ? left.element.isComparable(with: right) : left.isText && right.isText
        case .isIn: right.isList ? left.isComparable(with: right.element) : left.isText && right.isText
        case .between: right.isList && left.isOrdered && left.isComparable(with: right.element)
        }
    }

    // MARK: - Constants

    /// Converts constants to the kind of the other side.
    private func convert(
        _ comparison: inout ObjectPredicate.Comparison, _ left: inout ExpressionKind, _ right: inout ExpressionKind
    ) throws(GranaryError) {
        switch comparison.operation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            convert(&comparison.right, &right, to: left)
            convert(&comparison.left, &left, to: right)
        case .isIn, .between:
            convert(&comparison.right, &right, to: left)
            if right.isList { convert(&comparison.left, &left, to: right.element) }
        case .contains:
            if left.isList { convert(&comparison.right, &right, to: left.element) }
        case .matches, .like, .beginsWith, .endsWith: break
        }
    }

    private func convert(
        _ expression: inout ObjectExpression, _ kind: inout ExpressionKind, to target: ExpressionKind
    ) {
        switch expression {
        case .constant(let value):
            guard let converted = value.converted(to: target) else { return }
            expression = .constant(converted)
            kind = ExpressionKind(converted)
        case .list(let elements):
            var converted: [ObjectExpression] = []
            var kinds: [ExpressionKind] = []
            for var element in elements {
                var elementKind = Self.constantKind(element)
                convert(&element, &elementKind, to: target)
                converted.append(element)
                kinds.append(elementKind)
            }
            // Elements that are no constants keep the kind that the list has.
            guard !kinds.contains(where: { if case .unknown = $0 { true } else { false } }) else { return }
            expression = .list(converted)
            kind = .list(Self.common(kinds))
        default: break
        }
    }

    private static func constantKind(_ expression: ObjectExpression) -> ExpressionKind {
        switch expression {
        case .constant(let value): ExpressionKind(value)
        case .null: .null
        case .object: .object(nil)
        default: .unknown
        }
    }

    /// The kind of all values; unknown if they differ.
    static func common(_ kinds: [ExpressionKind]) -> ExpressionKind {
        var common = ExpressionKind.null
        for kind in kinds {
            switch (common, kind) {
            case (.null, _): common = kind
            case (_, .null): break
            case (.object, .object): common = .object(nil)
            default: guard common.isComparable(with: kind), !kind.isMixed, !common.isMixed else { return .unknown }
            }
        }
        return common
    }

    // MARK: - Messages

    func error(_ message: String) -> GranaryError { GranaryError(.usage, "\(entity.name): \(message)") }

    static func quoted(_ text: String) -> String { "\"\(Diagnostic.shortened(text))\"" }
}

extension ExpressionKind {
    fileprivate var isMixed: Bool { if case .unknown = self { true } else { false } }
}

extension ObjectPredicate.Operator {
    var isEquality: Bool { self == .equal || self == .notEqual }
}
