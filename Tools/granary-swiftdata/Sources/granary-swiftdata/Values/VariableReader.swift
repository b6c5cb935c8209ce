import SwiftSyntax

/// Turns `var` and `let` into properties.
struct VariableReader {
    let source: SourceText

    /// Returns a property for each name, without attributes and conditions.
    func read(_ declaration: VariableDeclSyntax) -> [SourceVariable] {
        let modifiers = declaration.modifiers.map { $0.name.tokenKind }
        let isStatic = modifiers.contains(.keyword(.static)) || modifiers.contains(.keyword(.class))
        let isLazy = modifiers.contains(.keyword(.lazy))
        var variables: [SourceVariable] = []
        // In `var a, b: Int`, the type of `b` is the type of `a`, so the bindings are read from the last to the first.
        var following: SourceType?
        for binding in declaration.bindings.reversed() {
            let type = binding.typeAnnotation.map { TypeReader(source: source).read($0.type) }
            following = type ?? (binding.initializer == nil ? following : nil)
            for name in names(in: binding.pattern).reversed() {
                var variable = SourceVariable(name: name.plainText, place: source.place(of: name))
                variable.isLet = declaration.bindingSpecifier.tokenKind == .keyword(.let)
                variable.isStatic = isStatic
                variable.isLazy = isLazy
                if binding.pattern.is(IdentifierPatternSyntax.self) {
                    variable.type = following
                    variable.initialValue = binding.initializer.map { value(of: $0.value) }
                } else {
                    variable.initialValue = binding.initializer.map { .other(source.text(of: $0.value)) }
                }
                (variable.isComputed, variable.getter) = getter(of: binding.accessorBlock)
                variables.append(variable)
            }
        }
        return variables.reversed()
    }

    /// Returns whether accessors make a property computed, and the expression of its getter.
    private func getter(of block: AccessorBlockSyntax?) -> (Bool, SourceExpression?) {
        switch block?.accessors {
        case nil: return (false, nil)
        case .getter(let items): return (true, value(of: items))
        case .accessors(let list):
            let observers: Set<TokenKind> = [.keyword(.willSet), .keyword(.didSet)]
            guard let accessor = list.first(where: { !observers.contains($0.accessorSpecifier.tokenKind) }) else {
                return (false, nil)
            }
            let getter = list.first { $0.accessorSpecifier.tokenKind == .keyword(.get) } ?? accessor
            return (true, getter.body.flatMap { value(of: $0.statements) })
        }
    }

    /// Returns the value of a body that is one expression or one `return`.
    private func value(of items: CodeBlockItemListSyntax) -> SourceExpression? {
        guard let item = items.first, items.count == 1 else { return nil }
        switch item.item {
        case .expr(let expression): return value(of: expression)
        case .stmt(let statement): return statement.as(ReturnStmtSyntax.self)?.expression.map { value(of: $0) }
        case .decl: return nil
        }
    }

    private func value(of expression: ExprSyntax) -> SourceExpression {
        ExpressionReader(source: source).read(expression)
    }

    /// Returns the names of a pattern such as `a` or `(a, b)`.
    private func names(in pattern: PatternSyntax) -> [TokenSyntax] {
        var names: [TokenSyntax] = []
        var open = [pattern]
        while let pattern = open.popLast() {
            if let name = pattern.as(IdentifierPatternSyntax.self) {
                names.append(name.identifier)
            } else if let tuple = pattern.as(TuplePatternSyntax.self) {
                open += tuple.elements.map(\.pattern).reversed()
            }
        }
        return names
    }
}
