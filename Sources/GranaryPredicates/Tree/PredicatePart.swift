import GranaryBase

/// The parts of a predicate or expression, for functions that walk a tree.
package enum PredicatePart {
    case predicate(ObjectPredicate)
    case expression(ObjectExpression)

    /// The parts directly below.
    package var children: [PredicatePart] {
        switch self {
        case .predicate(.constant): []
        case .predicate(.and(let parts)), .predicate(.or(let parts)): parts.map(PredicatePart.predicate)
        case .predicate(.not(let part)): [.predicate(part)]
        case .predicate(.comparison(let comparison)): [.expression(comparison.left), .expression(comparison.right)]
        case .expression(let expression): expression.children
        }
    }
}

extension ObjectExpression {
    fileprivate var children: [PredicatePart] {
        switch self {
        case .evaluatedObject, .constant, .null, .object, .variable, .keyPath, .className: []
        case .path(_, let operand): [.expression(operand)]
        case .list(let elements), .function(_, let elements): elements.map(PredicatePart.expression)
        case .method(_, let operand, let arguments): ([operand] + arguments).map(PredicatePart.expression)
        case .subquery(let collection, _, let condition): [.expression(collection), .predicate(condition)]
        case .conditional(let condition, let first, let second):
            [.predicate(condition), .expression(first), .expression(second)]
        case .element(let collection, .at(let index)): [.expression(collection), .expression(index)]
        case .element(let collection, .first), .element(let collection, .last), .element(let collection, .size):
            [.expression(collection)]
        case .combined(let left, _, let right): [.expression(left), .expression(right)]
        }
    }
}

extension ObjectPredicate {
    /// The maximum nesting depth of predicates and their expressions. Parsers, readers of archives and the checks
    /// before evaluation refuse deeper trees, so functions on trees may recurse.
    package static let depthLimit = 64

    /// Whether the tree is deeper than ``depthLimit``; computed without recursion.
    package var isTooDeep: Bool { PredicatePart.predicate(self).isTooDeep }

    /// All parts of the tree, from the root down.
    package var parts: [PredicatePart] { PredicatePart.predicate(self).all }
}

extension ObjectExpression {
    /// Whether the tree is deeper than ``ObjectPredicate/depthLimit``; computed without recursion.
    package var isTooDeep: Bool { PredicatePart.expression(self).isTooDeep }

    /// All parts of the tree, from the root down.
    package var parts: [PredicatePart] { PredicatePart.expression(self).all }
}

extension PredicatePart {
    fileprivate var isTooDeep: Bool {
        var stack = [(self, 1)]
        while let (part, depth) = stack.popLast() {
            guard depth <= ObjectPredicate.depthLimit else { return true }
            stack.append(contentsOf: part.children.map { ($0, depth + 1) })
        }
        return false
    }

    fileprivate var all: [PredicatePart] {
        var result: [PredicatePart] = []
        var stack = [self]
        while let part = stack.popLast() {
            result.append(part)
            stack.append(contentsOf: part.children.reversed())
        }
        return result
    }
}
