package import GranaryBase

extension ObjectPredicate {
    /// Returns the predicate with its expressions replaced, from the leaves up.
    package func mapping(
        _ body: (ObjectExpression) throws(GranaryError) -> ObjectExpression
    ) throws(GranaryError) -> Self {
        switch self {
        case .constant: return self
        case .and(let parts): return .and(try Self.mapping(parts, body))
        case .or(let parts): return .or(try Self.mapping(parts, body))
        case .not(let part): return .not(try part.mapping(body))
        case .comparison(var comparison):
            comparison.left = try comparison.left.mapping(body)
            comparison.right = try comparison.right.mapping(body)
            return .comparison(comparison)
        }
    }

    private static func mapping(
        _ parts: [Self], _ body: (ObjectExpression) throws(GranaryError) -> ObjectExpression
    ) throws(GranaryError) -> [Self] {
        var result: [Self] = []
        for part in parts { result.append(try part.mapping(body)) }
        return result
    }
}

extension ObjectExpression {
    /// Returns the expression with its parts replaced, from the leaves up.
    package func mapping(
        _ body: (ObjectExpression) throws(GranaryError) -> ObjectExpression
    ) throws(GranaryError) -> Self {
        let mapped: Self
        switch self {
        case .evaluatedObject, .constant, .null, .object, .variable, .keyPath, .className: mapped = self
        case .path(let path, let operand): mapped = .path(path, of: try operand.mapping(body))
        case .list(let elements): mapped = .list(try Self.mapping(elements, body))
        case .function(let name, let arguments): mapped = .function(name, try Self.mapping(arguments, body))
        case .method(let name, let operand, let arguments):
            mapped = .method(name, of: try operand.mapping(body), try Self.mapping(arguments, body))
        case .subquery(let collection, let variable, let condition):
            mapped = .subquery(try collection.mapping(body), variable: variable, try condition.mapping(body))
        case .conditional(let condition, let first, let second):
            mapped = .conditional(try condition.mapping(body), try first.mapping(body), try second.mapping(body))
        case .element(let collection, .at(let index)):
            mapped = .element(of: try collection.mapping(body), .at(try index.mapping(body)))
        case .element(let collection, let index): mapped = .element(of: try collection.mapping(body), index)
        case .combined(let left, let operation, let right):
            mapped = .combined(try left.mapping(body), operation, try right.mapping(body))
        }
        return try body(mapped)
    }

    private static func mapping(
        _ expressions: [Self], _ body: (ObjectExpression) throws(GranaryError) -> ObjectExpression
    ) throws(GranaryError) -> [Self] {
        var result: [Self] = []
        for expression in expressions { result.append(try expression.mapping(body)) }
        return result
    }
}

extension ObjectPredicate {
    /// The values of variables. A nil value is NULL.
    public typealias Variables = [String: ObjectExpression]

    /// Returns the predicate with variables replaced by their values. Variables without a value, and those of a
    /// `SUBQUERY`, stay. (`withSubstitutionVariables(_:)`)
    public func substituting(_ variables: Variables) -> ObjectPredicate {
        switch self {
        case .constant: self
        case .and(let parts): .and(parts.map { $0.substituting(variables) })
        case .or(let parts): .or(parts.map { $0.substituting(variables) })
        case .not(let part): .not(part.substituting(variables))
        case .comparison(let comparison):
            .comparison(
                Comparison(
                    comparison.left.substituting(variables), comparison.operation,
                    comparison.right.substituting(variables), options: comparison.options,
                    modifier: comparison.modifier))
        }
    }
}

extension ObjectExpression {
    /// Returns the expression with variables replaced by their values.
    package func substituting(_ variables: ObjectPredicate.Variables) -> ObjectExpression {
        switch self {
        case .variable(let name): return variables[name] ?? self
        case .evaluatedObject, .constant, .null, .object, .keyPath, .className: return self
        case .path(let path, let operand):
            let replaced = operand.substituting(variables)
            return replaced == .evaluatedObject ? .keyPath(path) : .path(path, of: replaced)
        case .list(let elements): return .list(elements.map { $0.substituting(variables) })
        case .function(let name, let arguments):
            return .function(name, arguments.map { $0.substituting(variables) })
        case .method(let name, let operand, let arguments):
            return .method(
                name, of: operand.substituting(variables), arguments.map { $0.substituting(variables) })
        case .subquery(let collection, let variable, let condition):
            var others = variables
            others[variable] = nil
            return .subquery(
                collection.substituting(variables), variable: variable, condition.substituting(others))
        case .conditional(let condition, let first, let second):
            return .conditional(
                condition.substituting(variables), first.substituting(variables), second.substituting(variables))
        case .element(let collection, .at(let index)):
            return .element(of: collection.substituting(variables), .at(index.substituting(variables)))
        case .element(let collection, let index):
            return .element(of: collection.substituting(variables), index)
        case .combined(let left, let operation, let right):
            return .combined(left.substituting(variables), operation, right.substituting(variables))
        }
    }
}
