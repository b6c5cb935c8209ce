import SwiftParser
import SwiftSyntax

/// Turns expressions of the syntax tree into values.
///
/// Every call goes one level deeper, so the recursion ends at `maximumDepth`, whatever the tree is.
struct ExpressionReader {
    /// The deepest nesting; deeper expressions become `.other`.
    static let maximumDepth = 32

    let source: SourceText
    var types: TypeReader { TypeReader(source: source) }

    /// Returns the value of an expression.
    func read(_ expression: ExprSyntax, depth: Int = 0) -> SourceExpression {
        guard depth < Self.maximumDepth else { return other(expression) }
        let next = depth + 1
        switch expression.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr: return .null
        case .booleanLiteralExpr(let literal): return .boolean(literal.literal.tokenKind == .keyword(.true))
        case .integerLiteralExpr(let literal): return .integer(digits(literal.literal))
        case .floatLiteralExpr(let literal): return .float(digits(literal.literal))
        case .prefixOperatorExpr(let signed): return self.signed(signed) ?? other(expression)
        case .stringLiteralExpr(let literal): return string(literal) ?? other(expression)
        case .arrayExpr(let array): return .array(array.elements.map { read($0.expression, depth: next) })
        case .dictionaryExpr(let dictionary): return self.dictionary(dictionary, depth: next)
        case .functionCallExpr(let call):
            return .call(operand(call.calledExpression, depth: next), arguments(call.arguments, depth: next))
        case .memberAccessExpr(let access): return member(access, depth: next) ?? other(expression)
        case .declReferenceExpr(let reference): return name(reference).map { .name($0) } ?? other(expression)
        case .superExpr: return .name("super")
        case .keyPathExpr(let path): return keyPath(path, depth: next) ?? other(expression)
        case .genericSpecializationExpr, .typeExpr, .optionalChainingExpr:
            return type(expression, depth: next).map { .type($0) } ?? other(expression)
        case .sequenceExpr(let sequence): return self.sequence(sequence, depth: next) ?? other(expression)
        case .tryExpr(let attempt) where attempt.questionOrExclamationMark?.tokenKind != .postfixQuestionMark:
            return read(attempt.expression, depth: next)
        case .awaitExpr(let wait): return read(wait.expression, depth: next)
        case .tupleExpr(let tuple): return single(tuple).map { read($0, depth: next) } ?? other(expression)
        default: return other(expression)
        }
    }

    /// Returns the values of arguments. Trailing closures are not among them.
    func arguments(_ list: LabeledExprListSyntax, depth: Int = 0) -> [SourceArgument] {
        list.map { SourceArgument(label: $0.label?.plainText, value: read($0.expression, depth: depth)) }
    }

    /// Returns the only expression between parentheses.
    func single(_ tuple: TupleExprSyntax) -> ExprSyntax? {
        guard let element = tuple.elements.first, tuple.elements.count == 1, element.label == nil else { return nil }
        return element.expression
    }

    /// Returns a name, unless it has argument labels.
    func name(_ reference: DeclReferenceExprSyntax) -> String? {
        reference.argumentNames == nil ? reference.baseName.plainText : nil
    }

    func other(_ expression: some SyntaxProtocol) -> SourceExpression { .other(source.text(of: expression)) }
}
