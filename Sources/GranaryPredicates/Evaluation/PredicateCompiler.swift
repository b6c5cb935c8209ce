import Foundation

/// Prepares predicates and expressions.
struct PredicateCompiler {
    let now: Date
    /// The variables of the enclosing subqueries, from the outermost.
    private var variables: [String] = []

    init(now: Date) { self.now = now }

    mutating func prepared(_ predicate: ObjectPredicate) -> PreparedPredicate {
        switch predicate {
        case .constant(let truth): return .constant(truth)
        case .and(let parts): return .and(prepared(parts))
        case .or(let parts): return .or(prepared(parts))
        case .not(let part): return .not(prepared(part))
        case .comparison(let comparison):
            let left = prepared(comparison.left)
            let rule = TextRule(comparison.options)
            return .comparison(
                PreparedComparison(
                    left: left, operation: comparison.operation, modifier: comparison.modifier, rule: rule,
                    right: preparedRight(of: comparison, rule)))
        }
    }

    private mutating func prepared(_ parts: [ObjectPredicate]) -> [PreparedPredicate] {
        var result: [PreparedPredicate] = []
        for part in parts { result.append(prepared(part)) }
        return result
    }

    private mutating func preparedRight(
        of comparison: ObjectPredicate.Comparison, _ rule: TextRule
    ) -> PreparedComparison.Right {
        guard case .list(let elements) = comparison.right else { return .single(prepared(comparison.right)) }
        switch comparison.operation {
        case .isIn:
            if let members = ConstantMembers(elements, rule) { return .members(members) }
            return .elements(prepared(elements))
        case .between where elements.count == 2:
            let lower = prepared(elements[0])
            return .bounds(lower, prepared(elements[1]))
        default: return .single(prepared(comparison.right))
        }
    }

    private mutating func prepared(_ expressions: [ObjectExpression]) -> [PreparedExpression] {
        var result: [PreparedExpression] = []
        for expression in expressions { result.append(prepared(expression)) }
        return result
    }

    mutating func prepared(_ expression: ObjectExpression) -> PreparedExpression {
        switch expression {
        case .evaluatedObject: return .itself
        case .constant(let value): return .value(value)
        case .null, .className: return .null
        case .object(let reference): return .reference(reference)
        // The innermost variable of the name.
        case .variable(let name): return variables.lastIndex(of: name).map { .variable($0) } ?? .null
        case .keyPath(let path): return Self.prepared(path: path)
        case .path(let path, let operand):
            return .pathOf(PathStep.steps(of: PathStep.keys(of: path)[...]), prepared(operand))
        case .list(let elements): return .list(prepared(elements))
        case .function(let name, let arguments): return prepared(function: name, arguments)
        case .method(let name, let operand, let arguments):
            guard name == "dateByAddingTimeInterval:", arguments.count == 1 else { return .null }
            let date = prepared(operand)
            return .laterDate(date, prepared(arguments[0]))
        case .subquery(let collection, let variable, let condition):
            let elements = prepared(collection)
            variables.append(variable)
            let predicate = prepared(condition)
            variables.removeLast()
            return .subquery(elements, predicate)
        case .conditional(let condition, let first, let second):
            let predicate = prepared(condition)
            let value = prepared(first)
            return .conditional(predicate, value, prepared(second))
        case .element(let collection, let index):
            let elements = prepared(collection)
            switch index {
            case .at(let place): return .element(of: elements, at: prepared(place))
            case .first: return .first(of: elements)
            case .last: return .last(of: elements)
            case .size: return .size(of: elements)
            }
        case .combined(let left, let operation, let right):
            let first = prepared(left)
            return .combined(first, operation, prepared(right))
        }
    }

    private static func prepared(path: String) -> PreparedExpression {
        var keys = PathStep.keys(of: path)[...]
        guard keys.first == "SELF" else {
            if keys.count == 1, let key = keys.first, case .key = PathStep(key: key) { return .property(key) }
            return .path(PathStep.steps(of: keys))
        }
        keys.removeFirst()
        return keys.isEmpty ? .itself : .pathOf(PathStep.steps(of: keys), .itself)
    }

    private mutating func prepared(function name: String, _ arguments: [ObjectExpression]) -> PreparedExpression {
        guard let function = PredicateFunction(selector: name), function.argumentCounts.contains(arguments.count) else {
            return .null
        }
        switch function {
        case .now: return .value(.date(now))
        case .noIndex: return prepared(arguments[0])
        case .cast:
            guard case .constant(.string(let type)) = arguments[1], let target = CastTarget(rawValue: type) else {
                return .null
            }
            return .cast(prepared(arguments[0]), target)
        default:
            let values = prepared(arguments)
            guard function.isConstant, let constants = Self.constants(values) else {
                return .function(function, values)
            }
            // The same result for every object.
            switch function.value(constants) {
            case nil: return .null
            case .value(let value)?: return .value(value)
            default: return .function(function, values)
            }
        }
    }

    /// The values if all expressions are constants.
    private static func constants(_ expressions: [PreparedExpression]) -> [PredicateOperand?]? {
        var result: [PredicateOperand?] = []
        for expression in expressions {
            switch expression {
            case .null: result.append(nil)
            case .value(let value): result.append(.value(value))
            default: return nil
            }
        }
        return result
    }
}
