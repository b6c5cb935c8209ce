import TestSupport

@testable import GranaryPredicates

/// The obvious second implementation: three kinds of values only, by Swift's own operators.
struct PredicateTwin {
    let value: AttributeValue?

    func holds(_ predicate: ObjectPredicate) -> Bool {
        switch predicate {
        case .constant(let truth): return truth
        case .and(let parts): return parts.map(holds).reduce(true) { $0 && $1 }
        case .or(let parts): return parts.map(holds).reduce(false) { $0 || $1 }
        case .not(let part): return holds(part) ? false : true
        case .comparison(let comparison):
            if comparison.operation == .between, case .list(let bounds) = comparison.right {
                return holds(.compare(bounds[0], .lessOrEqual, comparison.left))
                    && holds(.compare(comparison.left, .lessOrEqual, bounds[1]))
            }
            if comparison.operation == .isIn, case .list(let elements) = comparison.right {
                return elements.map { holds(.compare(comparison.left, .equal, $0)) }.contains(true)
            }
            let operation = comparison.operation
            let (left, right) = (resolve(comparison.left), resolve(comparison.right))
            switch (left, right) {
            case (.string(let left)?, .string(let right)?): return text(left, operation, right)
            case (.integer(let left)?, .integer(let right)?): return order(left, operation, right)
            case (.integer(let left)?, .double(let right)?): return order(Double(left), operation, right)
            case (.double(let left)?, .integer(let right)?): return order(left, operation, Double(right))
            case (.double(let left)?, .double(let right)?): return order(left, operation, right)
            case (nil, nil): return operation == .equal
            default: return operation == .notEqual
            }
        }
    }

    private func resolve(_ expression: ObjectExpression) -> AttributeValue? {
        switch expression {
        case .evaluatedObject: return value
        case .constant(let value): return value
        case .keyPath:
            guard case .string(let text)? = value else { return nil }
            return .integer(Int64(text.utf16.count))
        default: return nil
        }
    }

    private func order<Number: Comparable>(
        _ left: Number, _ operation: ObjectPredicate.Operator, _ right: Number
    ) -> Bool {
        switch operation {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .matches, .like, .beginsWith, .endsWith, .contains, .isIn, .between: false
        }
    }

    private func text(_ left: String, _ operation: ObjectPredicate.Operator, _ right: String) -> Bool {
        // ASCII only, so that String's own order is that of the bytes.
        switch operation {
        case .beginsWith: left.hasPrefix(right)
        case .endsWith: left.hasSuffix(right)
        case .contains: right.isEmpty || left.contains(right)
        case .isIn: left.isEmpty || right.contains(left)
        // ICU has no empty expression.
        case .matches: left == right && !right.isEmpty
        // The generated patterns have no wildcards.
        case .like: left == right
        default: order(left, operation, right)
        }
    }
}
