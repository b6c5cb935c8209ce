/// The type of an attribute's values. The raw values are Core Data's `NSAttributeType` numbers, which version hashes
/// contain.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type; allowed only for transient attributes.
    case undefined = 0
    /// A whole number from −32,768 to 32,767.
    case integer16 = 100
    /// A whole number from −2,147,483,648 to 2,147,483,647.
    case integer32 = 200
    /// A whole number from −2^63 to 2^63 − 1.
    case integer64 = 300
    /// An exact decimal number. (`NSDecimalNumber`)
    case decimal = 400
    /// A 64-bit floating-point number; never infinite or NaN.
    case double = 500
    /// A 32-bit floating-point number; never infinite or NaN.
    case float = 600
    /// Text, whose length is counted in UTF-16 units.
    case string = 700
    /// True or false.
    case boolean = 800
    /// A point in time, stored as seconds since 2001-01-01 00:00:00 UTC.
    case date = 900
    /// Bytes.
    case binary = 1000
    /// A UUID of 16 bytes.
    case uuid = 1100
    /// A URI, stored as text.
    case uri = 1200
    /// A value that a value transformer converts to bytes.
    case transformable = 1800
    /// The ID of an object. Its values are neither imported nor exported; no real model with this type is known.
    case objectID = 2000
    /// A structure whose elements are attributes.
    case composite = 2100

    /// The name that Xcode's model editor and the `.xcdatamodel` XML use: `Integer 16`, `URI`.
    public var name: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }

    /// The type with a name; nil if there is none.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// The name with its article, for sentences: `an Integer 16`.
    package var phrase: String {
        switch self {
        case .integer16, .integer32, .integer64, .undefined, .objectID: "an \(name)"
        default: "a \(name)"
        }
    }

    /// The range of an integer type; nil for other types.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }

    /// Whether it is a type of numbers, among which Core Data converts. A Boolean is the number 0 or 1.
    package var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        default: false
        }
    }

    /// Whether each value of another type of numbers is also a value of this one; nil unless both are types of numbers.
    package func holdsNumbers(of other: AttributeType) -> Bool? {
        guard isNumeric, other.isNumeric else { return nil }
        if self == other || other == .boolean { return true }
        return switch self {
        case .integer32: other == .integer16
        case .integer64: other == .integer16 || other == .integer32
        case .decimal: other.integerRange != nil
        case .double: other == .integer16 || other == .integer32 || other == .float
        case .float: other == .integer16
        default: false
        }
    }
}

extension AttributeType: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let type = Self(name: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no attribute type \"\(name)\"")
        }
        self = type
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
