extension ObjectPredicate {
    /// How deep predicates may nest, their expressions included. The model check refuses deeper ones, so evaluation
    /// may recurse. An archive nests up to three levels for each of these, and is read to 256 levels.
    package static let depthLimit = 64

    /// Whether the tree nests deeper than ``depthLimit``; found without recursion.
    package var isTooDeep: Bool {
        var stack = [(self, 1)]
        while let (part, depth) = stack.popLast() {
            guard depth <= Self.depthLimit else { return true }
            switch part {
            case .and(let parts), .or(let parts): stack.append(contentsOf: parts.map { ($0, depth + 1) })
            case .not(let inner): stack.append((inner, depth + 1))
            case .constant: break
            case .comparison(let left, _, let right, _):
                if left.isTooDeep(at: depth + 1) || right.isTooDeep(at: depth + 1) { return true }
            case .between(let value, let lower, let upper):
                if [value, lower, upper].contains(where: { $0.isTooDeep(at: depth + 1) }) { return true }
            }
        }
        return false
    }

    /// The expressions that stand on the right of a `MATCHES`. The predicate is not too deep.
    var matchExpressions: [(source: String, ignoringCase: Bool)] {
        switch self {
        case .and(let parts), .or(let parts): parts.flatMap(\.matchExpressions)
        case .not(let part): part.matchExpressions
        case .comparison(_, .matches, .constant(.string(let source)), let options):
            [(source, options.contains(.caseInsensitive))]
        case .constant, .comparison, .between: []
        }
    }

    /// The key paths that it follows. The predicate is not too deep.
    package var keyPaths: [String] {
        switch self {
        case .and(let parts), .or(let parts): parts.flatMap(\.keyPaths)
        case .not(let part): part.keyPaths
        case .comparison(let left, _, let right, _): left.keyPaths + right.keyPaths
        case .between(let value, let lower, let upper): value.keyPaths + lower.keyPaths + upper.keyPaths
        case .constant: []
        }
    }
}

extension ObjectExpression {
    fileprivate var keyPaths: [String] {
        switch self {
        case .keyPath(let path): [path]
        case .list(let elements): elements.flatMap(\.keyPaths)
        case .evaluatedObject, .constant, .null: []
        }
    }

    fileprivate func isTooDeep(at depth: Int) -> Bool {
        var stack = [(self, depth)]
        while let (part, depth) = stack.popLast() {
            guard depth <= ObjectPredicate.depthLimit else { return true }
            if case .list(let elements) = part { stack.append(contentsOf: elements.map { ($0, depth + 1) }) }
        }
        return false
    }
}
