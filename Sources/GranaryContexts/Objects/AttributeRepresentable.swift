public import Foundation
import GranaryCoordination
public import GranaryModel

/// A Swift type of attribute values.
public protocol AttributeRepresentable: Sendable {
    /// The value of an attribute as this type; nil when it is of another kind, or outside the type's range.
    init?(_ value: AttributeValue)
    /// The value as attributes hold it.
    var attributeValue: AttributeValue { get }
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
    public init?(_ value: AttributeValue) {
        guard case .boolean(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .boolean(self) }
}

extension Float: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .float(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .float(self) }
}

extension Double: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .double(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .double(self) }
}

extension Decimal: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .decimal(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .decimal(self) }
}

extension String: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .string(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .string(self) }
}

extension Date: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .date(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .date(self) }
}

extension Data: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .binary(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .binary(self) }
}

extension UUID: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .uuid(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .uuid(self) }
}

extension URL: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .uri(let value) = value else { return nil }
        self = value
    }

    public var attributeValue: AttributeValue { .uri(self) }
}
