public import Foundation
import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// A Swift type of attribute values. Its values are arguments of predicates.
public protocol AttributeRepresentable: PredicateArgument, Sendable {
    /// Converts the value of an attribute to this type; nil if it has another type or is out of range.
    init?(_ value: AttributeValue)
    /// The value as an attribute value.
    var attributeValue: AttributeValue { get }
}

extension AttributeRepresentable {
    /// The attribute value as a constant.
    public var predicateExpression: ObjectExpression { .constant(attributeValue) }
}

extension AttributeRepresentable where Self: FixedWidthInteger {
    public init?(_ value: AttributeValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Int64: AttributeRepresentable {
    public var attributeValue: AttributeValue { .integer(self) }
}

extension Int32: AttributeRepresentable {
    public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int16: AttributeRepresentable {
    public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int: AttributeRepresentable {
    public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Bool: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .boolean(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .boolean(self) }
}

extension Float: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .float(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .float(self) }
}

extension Double: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .double(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .double(self) }
}

extension Decimal: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .decimal(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .decimal(self) }
}

extension String: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .string(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .string(self) }
}

extension Date: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .date(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .date(self) }
}

extension Data: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .binary(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .binary(self) }
}

extension UUID: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .uuid(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .uuid(self) }
}

extension URL: AttributeRepresentable {
    public init?(_ value: AttributeValue) { if case .uri(let value) = value { self = value } else { return nil } }

    public var attributeValue: AttributeValue { .uri(self) }
}
