import SwiftSyntax

/// Turns conditions of `#if` into values.
struct ConditionReader {
    /// The deepest nesting; deeper conditions become `.other`.
    static let maximumDepth = 32
    static let platformChecks: Set<String> = [
        "os", "canImport", "swift", "compiler", "targetEnvironment", "arch", "hasFeature", "hasAttribute",
    ]

    let source: SourceText

    /// Returns the conditions under which each clause of `#if` is compiled: its own and the negations of the earlier.
    func clauses(of declaration: IfConfigDeclSyntax) -> [(IfConfigClauseSyntax, [SourceCondition])] {
        var earlier: [SourceCondition] = []
        return declaration.clauses.map { clause in
            guard clause.poundKeyword.tokenKind != .poundElse else { return (clause, earlier) }
            let own = clause.condition.map { read($0) } ?? .other("")
            defer { earlier.append(.not(own)) }
            return (clause, earlier + [own])
        }
    }

    /// Returns the value of a condition.
    func read(_ expression: ExprSyntax, depth: Int = 0) -> SourceCondition {
        guard depth < Self.maximumDepth else { return other(expression) }
        let next = depth + 1
        switch expression.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr(let literal): return .boolean(literal.literal.tokenKind == .keyword(.true))
        case .declReferenceExpr(let name) where name.argumentNames == nil: return .flag(source.text(of: name))
        case .prefixOperatorExpr(let negation) where negation.operator.text == "!":
            return .not(read(negation.expression, depth: next))
        case .tupleExpr(let tuple):
            guard let element = tuple.elements.first, tuple.elements.count == 1 else { return other(expression) }
            return read(element.expression, depth: next)
        case .functionCallExpr(let call):
            guard let callee = call.calledExpression.as(DeclReferenceExprSyntax.self),
                Self.platformChecks.contains(callee.baseName.text)
            else { return other(expression) }
            return .platform(callee.baseName.text, source.text(of: call.arguments))
        case .sequenceExpr(let sequence): return self.sequence(sequence, depth: next) ?? other(expression)
        default: return other(expression)
        }
    }

    /// Returns the value of operands with `&&` and `||` between them; `&&` binds stronger.
    private func sequence(_ sequence: SequenceExprSyntax, depth: Int) -> SourceCondition? {
        var alternatives: [[SourceCondition]] = [[]]
        for (index, element) in sequence.elements.enumerated() {
            if index.isMultiple(of: 2) {
                alternatives[alternatives.count - 1].append(read(element, depth: depth))
                continue
            }
            switch element.as(BinaryOperatorExprSyntax.self)?.operator.text {
            case "&&": break
            case "||": alternatives.append([])
            default: return nil
            }
        }
        let parts = alternatives.compactMap { $0.count == 1 ? $0.first : .all($0) }
        return parts.count == 1 ? parts.first : .any(parts)
    }

    private func other(_ expression: ExprSyntax) -> SourceCondition { .other(source.text(of: expression)) }
}
