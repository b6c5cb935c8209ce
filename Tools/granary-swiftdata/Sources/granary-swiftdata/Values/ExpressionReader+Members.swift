import SwiftSyntax

extension ExpressionReader {
    /// Returns `base.name`.
    func member(_ access: MemberAccessExprSyntax, depth: Int) -> SourceExpression? {
        guard let name = name(access.declName) else { return nil }
        guard let base = access.base else { return .member(nil, name) }
        return .member(operand(base, depth: depth), name)
    }

    /// Returns what is called or has a member. There, `[T]` and `[K: V]` are types.
    func operand(_ expression: ExprSyntax, depth: Int) -> SourceExpression {
        if expression.is(ArrayExprSyntax.self) || expression.is(DictionaryExprSyntax.self),
            let type = type(expression, depth: depth)
        {
            return .type(type)
        }
        return read(expression, depth: depth)
    }

    /// Returns the key path, if it has names only.
    ///
    /// The parser takes `Outer` as the root of `\Outer.Trip.name`. The names after it that begin with a capital letter are
    /// part of the root here, except for the last.
    func keyPath(_ expression: KeyPathExprSyntax, depth: Int) -> SourceExpression? {
        var names: [String] = []
        for component in expression.components {
            guard case .property(let property) = component.component, property.genericArgumentClause == nil,
                let name = name(property.declName)
            else { return nil }
            names.append(name)
        }
        let root = expression.root.map { types.read($0, depth: depth) }
        guard case .named(let first, let arguments) = root, arguments.isEmpty else { return .keyPath(root, names) }
        let inner = names.dropLast().prefix { $0.first?.isUppercase == true }
        return .keyPath(.named(([first] + inner).joined(separator: "."), []), Array(names.dropFirst(inner.count)))
    }

    /// Returns the type that an expression can be, if it looks like one.
    func type(_ expression: ExprSyntax, depth: Int) -> SourceType? {
        guard depth < Self.maximumDepth else { return nil }
        let next = depth + 1
        switch expression.as(ExprSyntaxEnum.self) {
        case .typeExpr(let expression): return types.read(expression.type, depth: next)
        case .declReferenceExpr, .memberAccessExpr:
            return typeName(expression).map { .named($0, []) }
        case .genericSpecializationExpr(let special):
            guard let name = typeName(special.expression) else { return nil }
            return .named(name, types.arguments(of: special.genericArgumentClause, depth: next))
        case .optionalChainingExpr(let optional): return type(optional.expression, depth: next).map { .optional($0) }
        case .arrayExpr(let array):
            guard let element = array.elements.first, array.elements.count == 1 else { return nil }
            return type(element.expression, depth: next).map { .array($0) }
        case .dictionaryExpr(let dictionary):
            guard case .elements(let elements) = dictionary.content, let pair = elements.first, elements.count == 1,
                let key = type(pair.key, depth: next), let value = type(pair.value, depth: next)
            else { return nil }
            return .dictionary(key, value)
        case .tupleExpr(let tuple): return single(tuple).flatMap { type($0, depth: next) }
        default: return nil
        }
    }

    /// Returns a name with dots whose last part begins with a capital letter.
    private func typeName(_ expression: ExprSyntax) -> String? {
        var parts: [String] = []
        var current = expression
        while let access = current.as(MemberAccessExprSyntax.self), let base = access.base, parts.count < 32 {
            guard let name = name(access.declName) else { return nil }
            parts.append(name)
            current = base
        }
        guard let reference = current.as(DeclReferenceExprSyntax.self), let name = name(reference) else { return nil }
        parts.append(name)
        guard parts[0].first?.isLowercase == false else { return nil }
        return parts.reversed().joined(separator: ".")
    }
}
