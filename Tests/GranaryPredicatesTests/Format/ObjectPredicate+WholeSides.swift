@testable import GranaryPredicates

extension ObjectPredicate {
    /// The predicate with 1 and 0 for Booleans, and integers for the whole doubles that are sides of comparisons.
    var withWholeSides: ObjectPredicate {
        switch self {
        case .constant: return self
        case .and(let parts): return .and(parts.map(\.withWholeSides))
        case .or(let parts): return .or(parts.map(\.withWholeSides))
        case .not(let part): return .not(part.withWholeSides)
        case .comparison(var comparison):
            comparison.left = comparison.left.withWholeSides(isSide: true)
            comparison.right = comparison.right.withWholeSides(isSide: true)
            return .comparison(comparison)
        }
    }
}

extension ObjectExpression {
    func withWholeSides(isSide: Bool = false) -> ObjectExpression {
        func inner(_ expression: ObjectExpression) -> ObjectExpression { expression.withWholeSides() }
        switch self {
        case .constant(.double(let value)):
            guard isSide, let whole = Int64(exactly: value), whole.magnitude < 1 << 53 else { return self }
            return .constant(.integer(whole))
        case .constant(.boolean(let value)): return .constant(.integer(value ? 1 : 0))
        case .constant, .evaluatedObject, .null, .object, .variable, .keyPath, .className: return self
        case .path(let path, let operand): return .path(path, of: inner(operand))
        case .list(let elements): return .list(elements.map(inner))
        case .function(let name, let arguments): return .function(name, arguments.map(inner))
        case .method(let name, let operand, let arguments):
            return .method(name, of: inner(operand), arguments.map(inner))
        case .subquery(let collection, let variable, let condition):
            return .subquery(inner(collection), variable: variable, condition.withWholeSides)
        case .conditional(let condition, let first, let second):
            return .conditional(condition.withWholeSides, inner(first), inner(second))
        case .element(let collection, .at(let index)): return .element(of: inner(collection), .at(inner(index)))
        case .element(let collection, let index): return .element(of: inner(collection), index)
        case .combined(let left, let operation, let right): return .combined(inner(left), operation, inner(right))
        }
    }
}
