import GranaryModel

/// A side of a comparison, or the expression of a derived attribute. (`NSExpression`)
indirect enum ExpressionNode: Sendable, Hashable {
    case constant(PredicateConstant)
    /// `SELF`.
    case evaluatedObject
    /// `$name`, without the sign.
    case variable(String)
    /// Keys joined by points, including operators such as `@count`; the operand is usually `SELF`.
    case keyPath(String, of: ExpressionNode)
    /// A method by its Objective-C name (`count:`, `add:to:`, `now`) and its receiver, which is ``utilities`` for
    /// Foundation's functions.
    case function(String, operand: ExpressionNode, arguments: [ExpressionNode])
    /// `{1, 2}`.
    case aggregate([ExpressionNode])

    /// The class whose methods are the functions of the predicate language.
    static let utilities = ExpressionNode.constant(.className("_NSPredicateUtilities"))

    /// A key path of the tested object.
    static func path(_ path: String) -> ExpressionNode { .keyPath(path, of: .evaluatedObject) }

    /// A function of the predicate language.
    static func call(_ name: String, _ arguments: ExpressionNode...) -> ExpressionNode {
        .function(name, operand: utilities, arguments: arguments)
    }

    static func value(_ value: AttributeValue) -> ExpressionNode { .constant(.value(value)) }
}

/// A constant in an expression. (`NSExpression.constantValue`)
enum PredicateConstant: Sendable, Hashable {
    /// `nil`.
    case null
    case value(AttributeValue)
    /// A class itself, by name.
    case className(String)
    /// A collection as one constant. A set is also read as a list, and written as an array.
    case list([PredicateConstant])
}
