package import GranaryBase
package import GranaryPredicates

/// Checks predicates, expressions and orders against an entity, and converts constants to the types that they are
/// compared with: the text `"2026-01-31"` to a date where it is compared with a date.
///
/// Only a resolved predicate may be evaluated on objects or translated to SQL.
package struct PredicateResolver {
    let schema: Schema
    let entity: Schema.Entity
    /// The kinds of the variables of enclosing subqueries.
    var variables: [String: ExpressionKind] = [:]
    /// The variables of enclosing subqueries whose objects are given by their IDs.
    var givenObjects: Set<String> = []

    /// Whether values of Transformable attributes are refused, because they are not decoded.
    private var refusesTransformed = false
    /// Whether a Transformable attribute is refused in the current comparison. A test for NULL needs no value.
    private(set) var isRefusing = false

    package init(schema: Schema, entity: Schema.Entity) {
        self.schema = schema
        self.entity = entity
    }

    /// A resolver for rows whose Transformable values are not decoded: it refuses to compare them with anything but NULL.
    package var refusingTransformed: PredicateResolver {
        var resolver = self
        resolver.refusesTransformed = true
        return resolver
    }

    /// - Throws: ``GranaryError`` with code `usage` for an unknown property, function or variable, a wrong number of
    ///   arguments, arguments and values of a wrong kind, an invalid regular expression, or a predicate that is too
    ///   deep; the same for the functions below. Its underlying error is a ``PredicatePlace`` if a part of the
    ///   predicate is wrong.
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
                        + "\(Self.quoted(descriptor.keyPath + ".@count"))", in: descriptor.keyPath)
            case .object:
                throw error(
                    "the key path \(Self.quoted(descriptor.keyPath)) ends at objects; sort by one of their attributes",
                    in: descriptor.keyPath)
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
        case .comparison(let comparison):
            var resolver = self
            resolver.isRefusing = refusesTransformed && !comparison.testsNull
            return .comparison(try resolver.resolved(comparison))
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
        // The kinds of the elements of a literal list. Each element is compared on its own.
        var elements: [ExpressionKind]?
        if case .list(let list) = comparison.right {
            let (values, kinds) = try resolved(list)
            result.right = .list(values)
            right = .list(Self.common(kinds))
            elements = kinds
        } else {
            (result.right, right) = try resolved(comparison.right)
        }
        if comparison.modifier != .direct {
            left = left.element
        } else if left.isList, comparison.operation != .contains, !right.isList || !comparison.operation.isEquality {
            throw error(
                "\(Self.shown(comparison.left)) has several values; compare them with ANY or ALL, or count them with "
                    + "@count", at: comparison.left)
        }
        if comparison.operation == .between, let count = elements?.count, count != 2 {
            throw error("BETWEEN takes two bounds, not \(count)", at: comparison.left)
        }
        convert(&result, &left, &right, &elements)
        if comparison.operation == .isIn || comparison.operation == .between, case .list(let list) = comparison.right {
            for (element, kind) in zip(list, elements ?? []) where !left.isComparable(with: kind) {
                throw notComparable(comparison.left, left, element, kind, comparison.operation)
            }
        }
        guard isAllowed(result.operation, left, right) else {
            throw notComparable(comparison.left, left, comparison.right, right, comparison.operation)
        }
        if result.operation == .matches, case .constant(.string(let pattern)) = result.right {
            do {
                _ = try Pattern(pattern)
            } catch {
                throw self.error(
                    "\(Self.shown(comparison.right)) is not a regular expression: \(error)", at: comparison.right)
            }
        }
        return result
    }

    private func notComparable(
        _ left: ObjectExpression, _ leftKind: ExpressionKind, _ right: ObjectExpression, _ rightKind: ExpressionKind,
        _ operation: ObjectPredicate.Operator
    ) -> GranaryError {
        error(
            "\(Self.shown(left)) is \(leftKind.phrase), \(Self.shown(right)) is \(rightKind.phrase): they cannot be "
                + "compared by \(operation.rawValue)" + PredicateHints.comparison(left, leftKind, right, rightKind),
            at: left)
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
    ///
    /// - Parameter elements: the kinds of the elements if the right side is a literal list.
    private func convert(
        _ comparison: inout ObjectPredicate.Comparison, _ left: inout ExpressionKind, _ right: inout ExpressionKind,
        _ elements: inout [ExpressionKind]?
    ) {
        switch comparison.operation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between:
            if var kinds = elements, case .list(var list) = comparison.right {
                let isOfTexts = comparison.operation == .isIn && Self.isTextProperty(comparison.left, left)
                for index in kinds.indices where list.indices.contains(index) {
                    convert(&list[index], &kinds[index], to: left.element)
                    guard isOfTexts, let text = list[index].integerText else { continue }
                    (list[index], kinds[index]) = (.constant(.string(text)), .text)
                }
                comparison.right = .list(list)
                right = .list(Self.common(kinds))
                elements = kinds
            } else {
                convert(&comparison.right, &right, to: left)
            }
            let isMember = comparison.operation == .isIn || comparison.operation == .between
            if !isMember || right.isList { convert(&comparison.left, &left, to: isMember ? right.element : right) }
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
        case .list(var elements):
            // A list on the left, or within another list. Elements that are no constants keep its kind.
            var kinds: [ExpressionKind] = []
            for index in elements.indices {
                guard var elementKind = Self.constantKind(elements[index]) else { return }
                convert(&elements[index], &elementKind, to: target)
                kinds.append(elementKind)
            }
            expression = .list(elements)
            kind = .list(Self.common(kinds))
        default: break
        }
    }

    /// Whether integers in a list that should contain the value become text, as SQLite converts them for Core Data: the
    /// column of a String has the affinity TEXT.
    private static func isTextProperty(_ expression: ObjectExpression, _ kind: ExpressionKind) -> Bool {
        guard case .keyPath = expression, case .text = kind.element else { return false }
        return true
    }

    private static func constantKind(_ expression: ObjectExpression) -> ExpressionKind? {
        switch expression {
        case .constant(let value): ExpressionKind(value)
        case .null: .null
        case .object: .object(nil)
        default: nil
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

    /// An error at a part of the predicate, as the format language has it.
    func error(_ message: String, at snippet: String) -> GranaryError {
        GranaryError(.usage, "\(entity.name): \(message)", underlying: PredicatePlace(snippet))
    }

    func error(_ message: String, at expression: ObjectExpression) -> GranaryError {
        error(message, at: expression.description)
    }

    func error(_ message: String, in path: String) -> GranaryError {
        GranaryError(.usage, "\(entity.name): \(message)", underlying: PredicatePlace(keyPath: path))
    }

    /// An expression in a message.
    static func shown(_ expression: ObjectExpression) -> String { Diagnostic.shortened(expression.description) }

    static func quoted(_ text: String) -> String { "\"\(Diagnostic.shortened(text))\"" }
}

extension ObjectExpression {
    /// The digits of an integer or a Boolean; nil for other expressions.
    var integerText: String? {
        switch self {
        case .constant(.integer(let number)): String(number)
        case .constant(.boolean(let truth)): truth ? "1" : "0"
        default: nil
        }
    }
}

extension ExpressionKind {
    fileprivate var isMixed: Bool { if case .unknown = self { true } else { false } }
}

extension ObjectPredicate.Comparison {
    /// Whether it compares a key path with NULL.
    fileprivate var testsNull: Bool {
        guard operation.isEquality, modifier == .direct else { return false }
        return switch (left, right) {
        case (.keyPath, .null), (.null, .keyPath): true
        default: false
        }
    }
}

extension ObjectPredicate.Operator {
    var isEquality: Bool { self == .equal || self == .notEqual }
}
