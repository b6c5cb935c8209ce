import Foundation
import GranaryBase
public import GranaryPredicates

/// An option of `PropertyDescription.attribute(_:_:_:)`.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeDescription) -> Void

    /// NULL is not allowed.
    public static let required = Self { $0.isOptional = false }
    /// The value exists only in memory.
    public static let transient = Self { $0.isTransient = true }
    /// The attribute has an index.
    public static let indexed = Self { $0.isIndexed = true }
    /// An SQLite store keeps large values in separate files.
    public static let externalStorage = Self { $0.allowsExternalBinaryDataStorage = true }

    /// The initial value in a new object.
    public static func defaultValue(_ value: AttributeValue) -> Self {
        Self { $0.defaultValue = value.converted(to: $0.type) }
    }

    /// The allowed length of a String in UTF-16 units.
    public static func length(_ lengths: ClosedRange<Int>) -> Self {
        Self {
            $0.minimumLength = lengths.lowerBound
            $0.maximumLength = lengths.upperBound
        }
    }

    /// The minimum of a number or date, inclusive.
    public static func minimum(_ value: AttributeValue) -> Self {
        Self { $0.minimumValue = value.converted(to: $0.type) }
    }

    /// The maximum of a number or date, inclusive.
    public static func maximum(_ value: AttributeValue) -> Self {
        Self { $0.maximumValue = value.converted(to: $0.type) }
    }

    /// An ICU regular expression that the whole text must match.
    public static func pattern(_ expression: String) -> Self {
        Self { $0.regularExpression = expression }
    }

    /// A predicate that the value must satisfy; `SELF` is the value.
    public static func rule(_ predicate: ObjectPredicate, _ message: String) -> Self {
        Self { $0.validationRules.append(ValidationRule(predicate: predicate, message: message)) }
    }

    /// The transformer of a Transformable attribute.
    public static func transformer(_ name: String, valueClass: String? = nil) -> Self {
        Self {
            $0.valueTransformerName = name
            $0.valueClassName = valueClass
        }
    }

    /// The name of a Composite attribute's composite.
    public static func composite(_ name: String) -> Self {
        Self { $0.compositeName = name }
    }

    /// The expression of a derived attribute.
    public static func derived(_ expression: String) -> Self {
        Self { $0.derivationExpression = expression }
    }

    /// The name in an earlier version of the model.
    public static func renamed(from identifier: String) -> Self {
        Self { $0.renamingIdentifier = identifier }
    }
}

// Literals allow `.minimum(0)` and `.defaultValue("new")`.

extension AttributeValue: ExpressibleByIntegerLiteral {
    /// An ``integer(_:)``. An ``AttributeOption`` converts it to Decimal, Double or Float if the attribute has that
    /// type.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension AttributeValue: ExpressibleByFloatLiteral {
    /// A ``double(_:)``. An ``AttributeOption`` converts it to Decimal or Float if the attribute has that type.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension AttributeValue: ExpressibleByBooleanLiteral {
    /// A ``boolean(_:)``.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension AttributeValue: ExpressibleByStringLiteral {
    /// A ``string(_:)``. An ``AttributeOption`` converts it to URI or UUID if the attribute has that type.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension AttributeValue {
    /// A literal as a value of the attribute's type: `0` and `0.5` as a Decimal, Double or Float, text as a URI or
    /// UUID. Other values are unchanged, so that the model check reports wrong types.
    fileprivate func converted(to type: AttributeType) -> Self {
        switch (self, type) {
        case (.integer(let value), .decimal): .decimal(Decimal(value))
        case (.integer(let value), .double): Double(exactly: value).map { .double($0) } ?? self
        case (.integer(let value), .float): Float(exactly: value).map { .float($0) } ?? self
        case (.double(let value), .float): .float(Float(value))
        // The digits of the literal, up to the seventeen digits of a double.
        case (.double(let value), .decimal):
            ExactDecimal(shortest: value).map { .decimal($0.foundationDecimal) } ?? self
        case (.string(let text), .uri): URL(string: text, encodingInvalidCharacters: false).map { .uri($0) } ?? self
        case (.string(let text), .uuid): UUID(uuidString: text).map { .uuid($0) } ?? self
        default: self
        }
    }
}
