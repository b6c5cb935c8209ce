import Foundation
import GranaryBase

/// What `PropertyDescription.attribute(_:_:_:)` may be told about an attribute.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeDescription) -> Void

    /// NULL is refused.
    public static let required = Self { $0.isOptional = false }
    /// In memory only.
    public static let transient = Self { $0.isTransient = true }
    /// With an index of its own.
    public static let indexed = Self { $0.isIndexed = true }
    /// An SQLite store keeps long values in files beside it.
    public static let externalStorage = Self { $0.allowsExternalBinaryDataStorage = true }

    /// The value that a new object starts with.
    public static func defaultValue(_ value: AttributeValue) -> Self {
        Self { $0.defaultValue = value.converted(to: $0.type) }
    }

    /// How many UTF-16 units a String has.
    public static func length(_ lengths: ClosedRange<Int>) -> Self {
        Self {
            $0.minimumLength = lengths.lowerBound
            $0.maximumLength = lengths.upperBound
        }
    }

    /// The smallest number or earliest date.
    public static func minimum(_ value: AttributeValue) -> Self {
        Self { $0.minimumValue = value.converted(to: $0.type) }
    }

    /// The largest number or latest date.
    public static func maximum(_ value: AttributeValue) -> Self {
        Self { $0.maximumValue = value.converted(to: $0.type) }
    }

    /// An ICU expression that the whole text must match.
    public static func pattern(_ expression: String) -> Self {
        Self { $0.regularExpression = expression }
    }

    /// A predicate that must hold; `SELF` is the value.
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

    /// The named composite of a Composite attribute.
    public static func composite(_ name: String) -> Self {
        Self { $0.compositeName = name }
    }

    /// What a derived attribute is computed from.
    public static func derived(_ expression: String) -> Self {
        Self { $0.derivationExpression = expression }
    }

    /// The name in an earlier version of the model.
    public static func renamed(from identifier: String) -> Self {
        Self { $0.renamingIdentifier = identifier }
    }
}

/// What `PropertyDescription.toOne` and `toMany` may be told about a relationship.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// An object must be there.
    public static let required = Self { $0.isOptional = false }
    /// The objects have an order.
    public static let ordered = Self { $0.isOrdered = true }
    /// In memory only.
    public static let transient = Self { $0.isTransient = true }

    /// What becomes of the objects at the other end on deletion.
    public static func deleteRule(_ rule: RelationshipDescription.DeleteRule) -> Self {
        Self { $0.deleteRule = rule }
    }

    /// How few and how many objects a to-many may have; 0 as the upper bound is no bound.
    public static func count(_ minimum: Int, _ maximum: Int) -> Self {
        Self {
            $0.minCount = minimum
            $0.maxCount = maximum
        }
    }
}

// Literals, so that a rule reads `.minimum(0)` and `.defaultValue("new")`.

extension AttributeValue: ExpressibleByIntegerLiteral {
    /// An ``integer(_:)``. An ``AttributeOption`` turns it into a Decimal, Double or Float where the attribute is one.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension AttributeValue: ExpressibleByFloatLiteral {
    /// A ``double(_:)``. An ``AttributeOption`` turns it into a Decimal or Float where the attribute is one.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension AttributeValue: ExpressibleByBooleanLiteral {
    /// A ``boolean(_:)``.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension AttributeValue: ExpressibleByStringLiteral {
    /// A ``string(_:)``. An ``AttributeOption`` turns it into a URI or UUID where the attribute is one.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension AttributeValue {
    /// A literal as a value of the attribute's type: `0` and `0.5` as a Decimal, Double or Float, a text as a URI or
    /// UUID. Everything else stays as it is, so that the model check sees what does not fit.
    fileprivate func converted(to type: AttributeType) -> Self {
        switch (self, type) {
        case (.integer(let value), .decimal): .decimal(Decimal(value))
        case (.integer(let value), .double): Double(exactly: value).map { .double($0) } ?? self
        case (.integer(let value), .float): Float(exactly: value).map { .float($0) } ?? self
        case (.double(let value), .float): .float(Float(value))
        // The digits that the literal was written with, up to the seventeen that a double has.
        case (.double(let value), .decimal):
            ExactDecimal(shortest: value).map { .decimal($0.foundationDecimal) } ?? self
        case (.string(let text), .uri): URL(string: text, encodingInvalidCharacters: false).map { .uri($0) } ?? self
        case (.string(let text), .uuid): UUID(uuidString: text).map { .uuid($0) } ?? self
        default: self
        }
    }
}
