/// What an attribute holds. The raw values are Core Data's `NSAttributeType` numbers, which version hashes contain.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type: only a transient attribute may have it.
    case undefined = 0
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    /// A value that a transformer turns into bytes.
    case transformable = 1800
    case objectID = 2000
    /// A structure whose elements are attributes themselves.
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

    /// The type of that name; nil when there is none.
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

    /// The values that an integer type can hold; nil for other types.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
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
