public import Foundation

/// A value that can stand for a placeholder of the format language: `%@`, `%K` or `%d`.
public protocol PredicateArgument {
    /// The constant or expression in place of the placeholder.
    var predicateExpression: ObjectExpression { get }
}

extension PredicateArgument where Self: BinaryInteger {
    /// The number as an integer constant; as a decimal if it is larger than `Int64.max`.
    public var predicateExpression: ObjectExpression {
        if let value = Int64(exactly: self) { return .constant(.integer(value)) }
        return .constant(.decimal(Decimal(string: "\(self)") ?? .nan))
    }
}

extension Int: PredicateArgument {}
extension Int8: PredicateArgument {}
extension Int16: PredicateArgument {}
extension Int32: PredicateArgument {}
extension Int64: PredicateArgument {}
extension UInt: PredicateArgument {}
extension UInt8: PredicateArgument {}
extension UInt16: PredicateArgument {}
extension UInt32: PredicateArgument {}
extension UInt64: PredicateArgument {}

extension Bool: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.boolean(self)) }
}

extension Double: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.double(self)) }
}

extension Float: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.float(self)) }
}

extension Decimal: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.decimal(self)) }
}

extension String: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.string(self)) }
}

extension Date: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.date(self)) }
}

extension Data: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.binary(self)) }
}

extension UUID: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.uuid(self)) }
}

extension URL: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(.uri(self)) }
}

extension AttributeValue: PredicateArgument {
    public var predicateExpression: ObjectExpression { .constant(self) }
}

extension ObjectExpression: PredicateArgument {
    public var predicateExpression: ObjectExpression { self }
}

extension ObjectReference: PredicateArgument {
    public var predicateExpression: ObjectExpression { .object(self) }
}

/// A list of values, such as the right side of `IN`, or the two bounds of `BETWEEN`.
extension Array: PredicateArgument where Element: PredicateArgument {
    public var predicateExpression: ObjectExpression { .list(map(\.predicateExpression)) }
}

/// A list of values, in the order of their descriptions, so that equal sets give equal predicates.
extension Set: PredicateArgument where Element: PredicateArgument {
    public var predicateExpression: ObjectExpression {
        let elements = map { element in
            let expression = element.predicateExpression
            return (expression: expression, text: Array(expression.description.utf8))
        }
        return .list(elements.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.expression))
    }
}
