import GranaryBase
import GranaryModel

extension ObjectPredicate {
    /// The same condition as a predicate that Granary can evaluate; nil if it contains variables, functions, operators
    /// of key paths, `LIKE`, ANY or ALL, or options other than `[c]` and `[d]`.
    init?(_ node: PredicateNode) {
        switch node {
        case .constant(let truth): self = .constant(truth)
        case .compound(let kind, let nodes):
            let parts = nodes.compactMap { ObjectPredicate($0) }
            guard parts.count == nodes.count else { return nil }
            switch kind {
            case .and: self = .and(parts)
            case .or: self = .or(parts)
            case .not:
                guard let part = parts.first, parts.count == 1 else { return nil }
                self = .not(part)
            }
        case .comparison(let node):
            guard node.modifier == .direct, let left = ObjectExpression(node.left),
                let right = ObjectExpression(node.right)
            else { return nil }
            if node.operation == .between {
                guard node.options.isEmpty, case .list(let bounds) = right, bounds.count == 2 else { return nil }
                self = .between(left, lower: bounds[0], upper: bounds[1])
            } else {
                // Both types spell operators alike. `LIKE` has no counterpart.
                guard let operation = Operator(rawValue: node.operation.symbol),
                    node.options.isSubset(of: [.caseInsensitive, .diacriticInsensitive])
                else { return nil }
                // The raw values of the options are the same.
                self = .comparison(left, operation, right, Options(rawValue: Int(node.options.rawValue)))
            }
        }
        if isTooDeep { return nil }
    }
}

extension ObjectExpression {
    fileprivate init?(_ node: ExpressionNode) {
        switch node {
        case .evaluatedObject: self = .evaluatedObject
        case .keyPath(let path, of: .evaluatedObject) where !path.contains("@"): self = .keyPath(path)
        case .constant(let constant):
            guard let expression = Self.expression(of: constant) else { return nil }
            self = expression
        case .aggregate(let elements):
            let list = elements.compactMap { ObjectExpression($0) }
            guard list.count == elements.count else { return nil }
            self = .list(list)
        case .variable, .keyPath, .function: return nil
        }
    }

    private static func expression(of constant: PredicateConstant) -> ObjectExpression? {
        switch constant {
        case .null: return .null
        case .value(let value): return .constant(value)
        case .className: return nil
        case .list(let values):
            let list = values.compactMap { expression(of: $0) }
            return list.count == values.count ? .list(list) : nil
        }
    }
}

extension PredicateComparisonNode.Operator {
    fileprivate init(_ operation: ObjectPredicate.Operator) {
        switch operation {
        case .less: self = .less
        case .lessOrEqual: self = .lessOrEqual
        case .greater: self = .greater
        case .greaterOrEqual: self = .greaterOrEqual
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .matches: self = .matches
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .isIn: self = .isIn
        case .contains: self = .contains
        }
    }
}

extension PredicateNode {
    static var tooDeep: GranaryError {
        GranaryError(
            Diagnostic(.modelRule, "a predicate nests deeper than \(ObjectPredicate.depthLimit) levels, the limit"))
    }

    /// The same condition as model files store it. A path `SELF.length` becomes the equivalent `length`.
    ///
    /// - Throws: ``GranaryError`` with `model.rule` for a predicate deeper than `ObjectPredicate.depthLimit` and for an
    ///   empty key path.
    init(_ predicate: ObjectPredicate) throws(GranaryError) {
        if predicate.isTooDeep { throw Self.tooDeep }
        try self.init(checked: predicate)
    }

    private init(checked predicate: ObjectPredicate) throws(GranaryError) {
        switch predicate {
        case .constant(let truth): self = .constant(truth)
        case .and(let parts): self = .compound(.and, try Self.nodes(parts))
        case .or(let parts): self = .compound(.or, try Self.nodes(parts))
        case .not(let part): self = .compound(.not, try Self.nodes([part]))
        case .between(let value, let lower, let upper):
            self = .comparison(
                PredicateComparisonNode(
                    try ExpressionNode(value), .between,
                    .aggregate([try ExpressionNode(lower), try ExpressionNode(upper)])))
        case .comparison(let left, let operation, let right, let options):
            self = .comparison(
                PredicateComparisonNode(
                    try ExpressionNode(left), PredicateComparisonNode.Operator(operation), try ExpressionNode(right),
                    options: PredicateComparisonNode.Options(rawValue: Int64(options.rawValue))))
        }
    }

    private static func nodes(_ parts: [ObjectPredicate]) throws(GranaryError) -> [PredicateNode] {
        var nodes: [PredicateNode] = []
        for part in parts { nodes.append(try PredicateNode(checked: part)) }
        return nodes
    }
}

extension ExpressionNode {
    fileprivate init(_ expression: ObjectExpression) throws(GranaryError) {
        switch expression {
        case .evaluatedObject, .keyPath("SELF"): self = .evaluatedObject
        case .constant(let value): self = .constant(.value(value))
        case .null: self = .constant(.null)
        case .keyPath(let path):
            let own = path.hasPrefix("SELF.") ? String(path.dropFirst("SELF.".count)) : path
            guard !own.isEmpty else { throw GranaryError(Diagnostic(.modelRule, "a predicate with an empty key path")) }
            self = .path(own)
        case .list(let elements):
            var nodes: [ExpressionNode] = []
            for element in elements { nodes.append(try ExpressionNode(element)) }
            self = .aggregate(nodes)
        }
    }
}
