import Foundation
import GranaryBase
public import GranaryContexts
import GranaryModel
import GranaryPredicates

/// A value that a test gives to an attribute of built objects: a literal, `nil` for NULL, a value of any type of
/// attributes, or a sequence.
///
/// ```swift
/// ["name": "Ann", "age": 70, "badge": .sequence("P%03d"), "admitted": .value(Date()), "street": nil]
/// ```
///
/// A number becomes the number type of its attribute.
public struct SeedValue: Sendable {
    enum Content: Sendable {
        case value(AttributeValue?)
        case sequence(SequenceFormat?, first: Int)
    }

    let content: Content

    /// A value of a Swift type of attributes: `Date`, `UUID`, `Data`, `Decimal`, `URL` and so on.
    public static func value(_ value: some AttributeRepresentable) -> SeedValue {
        SeedValue(content: .value(value.attributeValue))
    }

    /// A text with the number of the object among those of its seed: `"P%03d"` gives `P001`, `P002`.
    ///
    /// A format with other placeholders than one `%d` or `%0Nd` is an error when the fixture is built. `%%` is a percent
    /// sign.
    ///
    /// - Parameter first: the number of the first object.
    public static func sequence(_ format: String, from first: Int = 1) -> SeedValue {
        SeedValue(content: .sequence(SequenceFormat(text: format), first: first))
    }

    /// The number of the object among those of its seed, for a number attribute.
    public static func sequence(from first: Int = 1) -> SeedValue {
        SeedValue(content: .sequence(nil, first: first))
    }

    /// The value of an object.
    ///
    /// - Parameter index: the place of the object among those of its seed, from 0.
    func value(at index: Int, for attribute: Schema.Attribute) throws(GranaryError) -> AttributeValue? {
        switch content {
        case .value(let value): return value.map { Self.converted($0, to: attribute.type) }
        case .sequence(let format, let first):
            let (number, overflow) = first.addingReportingOverflow(index)
            guard !overflow else { throw GranaryError(.usage, "a sequence from \(first) has no further number") }
            guard let format else { return Self.converted(.integer(Int64(number)), to: attribute.type) }
            return .string(try format.text(number))
        }
    }

    /// Literals do not say which number type they are.
    private static func converted(_ value: AttributeValue, to type: AttributeType) -> AttributeValue {
        switch (value, type) {
        case (.integer(let number), .double): .double(Double(number))
        case (.integer(let number), .float): .float(Float(number))
        case (.integer(let number), .decimal): .decimal(Decimal(number))
        case (.double(let number), .float): .float(Float(number))
        // The shortest text of the number, so that 0.1 is 0.1.
        case (.double(let number), .decimal):
            Decimal(string: "\(number)", locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? value
        case (.string(let text), .uuid): UUID(uuidString: text).map { .uuid($0) } ?? value
        case (.string(let text), .uri): URL(string: text).map { .uri($0) } ?? value
        default: value
        }
    }
}

extension SeedValue: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { self.init(content: .value(nil)) }
}

extension SeedValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(content: .value(.integer(value))) }
}

extension SeedValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self.init(content: .value(.double(value))) }
}

extension SeedValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self.init(content: .value(.boolean(value))) }
}

extension SeedValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(content: .value(.string(value))) }
}
