import GranaryModel

/// A side of a comparison, or what a derived attribute is computed from. (`NSExpression`)
indirect enum ExpressionNode: Sendable, Hashable {
    case constant(PredicateConstant)
    /// `SELF`.
    case evaluatedObject
    /// `$name`, without the sign.
    case variable(String)
    /// Keys joined by points, `@count` and its like among them; the operand is mostly `SELF`.
    case keyPath(String, of: ExpressionNode)
    /// A method by its Objective-C name (`count:`, `add:to:`, `now`) and what it is called on: for Foundation's own
    /// functions ``utilities``.
    case function(String, operand: ExpressionNode, arguments: [ExpressionNode])
    /// `{1, 2}`.
    case aggregate([ExpressionNode])

    /// The class whose methods are the functions of the format language.
    static let utilities = ExpressionNode.constant(.className("_NSPredicateUtilities"))

    /// A key path of the tested object.
    static func path(_ path: String) -> ExpressionNode { .keyPath(path, of: .evaluatedObject) }

    /// A function of the format language.
    static func call(_ name: String, _ arguments: ExpressionNode...) -> ExpressionNode {
        .function(name, operand: utilities, arguments: arguments)
    }

    static func value(_ value: AttributeValue) -> ExpressionNode { .constant(.value(value)) }
}

/// What an expression holds that is the same for every object. (`NSExpression.constantValue`)
enum PredicateConstant: Sendable, Hashable {
    /// `nil`.
    case null
    case value(AttributeValue)
    /// A class itself, by name.
    case className(String)
    /// A collection given as one constant. A set is read as one too, so it comes out as an array.
    case list([PredicateConstant])
}
