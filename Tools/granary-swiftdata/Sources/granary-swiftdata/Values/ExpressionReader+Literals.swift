import SwiftParser
import SwiftSyntax

extension ExpressionReader {
    /// Returns a number with a sign.
    func signed(_ expression: PrefixOperatorExprSyntax) -> SourceExpression? {
        let sign = expression.operator.text
        guard sign == "-" || sign == "+" else { return nil }
        if let literal = expression.expression.as(IntegerLiteralExprSyntax.self) {
            return .integer(sign + digits(literal.literal))
        }
        if let literal = expression.expression.as(FloatLiteralExprSyntax.self) {
            return .float(sign + digits(literal.literal))
        }
        return nil
    }

    /// Returns the digits of a number without underscores.
    func digits(_ token: TokenSyntax) -> String { token.text.filter { $0 != "_" } }

    /// Returns the value of a string without interpolation.
    func string(_ literal: StringLiteralExprSyntax) -> SourceExpression? {
        // `representedLiteralValue` counts the `#` again for each line of the string.
        guard (literal.openingPounds?.trimmedLength.utf8Length ?? 0) < 256 else { return nil }
        return literal.representedLiteralValue.map { .string($0) }
    }

    /// Returns keys and values in turn.
    func dictionary(_ expression: DictionaryExprSyntax, depth: Int) -> SourceExpression {
        guard case .elements(let elements) = expression.content else { return .dictionary([]) }
        return .dictionary(elements.flatMap { [read($0.key, depth: depth), read($0.value, depth: depth)] })
    }

    /// Returns operands and the operators between them. Casts, ternary operators and assignments have no value.
    func sequence(_ expression: SequenceExprSyntax, depth: Int) -> SourceExpression? {
        var operands: [SourceExpression] = []
        var operators: [String] = []
        for (index, element) in expression.elements.enumerated() {
            if index.isMultiple(of: 2) {
                operands.append(read(element, depth: depth))
            } else if let binary = element.as(BinaryOperatorExprSyntax.self) {
                operators.append(binary.operator.text)
            } else {
                return nil
            }
        }
        return operands.count == operators.count + 1 ? .sequence(operands, operators) : nil
    }
}
