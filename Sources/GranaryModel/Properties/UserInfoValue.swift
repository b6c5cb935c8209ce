public import Foundation
package import GranaryPredicates

/// A value of user info: a property list, as Core Data archives it in a compiled model.
///
/// Xcode's model editor writes text only. Values of other kinds come from models built in code: SwiftData notes
/// `EnumType` as a Boolean.
///
/// ```swift
/// attribute.userInfo["unit"] = "kg"
/// attribute.userInfo["cases"] = ["new", "used"]
/// ```
public indirect enum UserInfoValue: Sendable {
    /// Text. It compares by its UTF-8 bytes.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction. It compares by its bits.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case binary(Data)
    /// Several values.
    case array([UserInfoValue])
    /// Values by their keys.
    case dictionary([String: UserInfoValue])

    /// The maximum nesting depth of arrays and dictionaries that readers accept, so that functions may recurse.
    package static let depthLimit = 64

    /// The text; nil for a value of another kind.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension UserInfoValue: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
        case (.boolean(let a), .boolean(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.binary(let a), .binary(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .boolean(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .binary(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .dictionary(let values): hasher.combine(values)
        }
    }
}

extension UserInfoValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }

    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    public init(integerLiteral value: Int64) { self = .integer(value) }

    public init(floatLiteral value: Double) { self = .real(value) }

    public init(arrayLiteral elements: UserInfoValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}

extension UserInfoValue {
    /// The name of the kind, for reports.
    package var kind: String {
        switch self {
        case .string: "text"
        case .integer: "integer"
        case .real: "real"
        case .boolean: "Boolean"
        case .date: "date"
        case .binary: "binary"
        case .array: "array"
        case .dictionary: "dictionary"
        }
    }
}

extension UserInfoValue {
    /// The value in a predicate; `nil` for a dictionary.
    package var expression: ObjectExpression {
        switch self {
        case .string(let value): .constant(.string(value))
        case .integer(let value): .constant(.integer(value))
        case .real(let value): .constant(.double(value))
        case .boolean(let value): .constant(.boolean(value))
        case .date(let value): .constant(.date(value))
        case .binary(let value): .constant(.binary(value))
        case .array(let values): .list(values.map(\.expression))
        case .dictionary: .null
        }
    }
}

extension UserInfoValue: CustomStringConvertible {
    /// The value for reports: text as it is, members of a dictionary in the order of their keys.
    public var description: String {
        switch self {
        case .string(let value): value
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .date(let value): FacetText.text(.date(value))
        case .binary(let value): FacetText.text(.binary(value))
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .dictionary(let values):
            "{"
                + values.sorted { utf8Less($0.key, $1.key) }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
                + "}"
        }
    }
}

/// Text, whole numbers, Booleans and arrays are coded as they are, other values as an object with one member, whose
/// name is the kind: `{"real": 0.5}`, `{"dictionary": {"a": "b"}}`. JSON alone does not distinguish 1.0 from 1.
extension UserInfoValue: Codable {
    private enum CodingKeys: String, CodingKey { case real, date, binary, dictionary }

    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.depthLimit * 2 + 16 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "user info nests deeper than \(Self.depthLimit) levels, the limit"))
        }
        if let tagged = try? decoder.container(keyedBy: CodingKeys.self) {
            guard let key = tagged.allKeys.first, tagged.allKeys.count == 1 else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "a value of user info that is an object has one member: real, date, binary "
                            + "or dictionary"))
            }
            switch key {
            case .real: self = .real(try Self.number(tagged, key))
            case .date: self = .date(Date(timeIntervalSinceReferenceDate: try Self.number(tagged, key)))
            case .binary: self = .binary(try tagged.decode(Data.self, forKey: key))
            case .dictionary: self = .dictionary(try tagged.decode([String: Self].self, forKey: key))
            }
            return
        }
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let truth = try? value.decode(Bool.self) {
            self = .boolean(truth)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .real(number)
        } else {
            self = .array(try value.decode([Self].self))
        }
    }

    /// JSON has no number for infinity, so a number that is not finite is text.
    private static func number(
        _ container: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) throws -> Double {
        if let text = try? container.decode(String.self, forKey: key), let value = Double(text) { return value }
        return try container.decode(Double.self, forKey: key)
    }

    private static func encode(
        _ number: Double, _ key: CodingKeys, _ container: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        if number.isFinite {
            try container.encode(number, forKey: key)
        } else {
            try container.encode("\(number)", forKey: key)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .string(let value): try encoder.encode(single: value)
        case .integer(let value): try encoder.encode(single: value)
        case .boolean(let value): try encoder.encode(single: value)
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .real(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try Self.encode(value, .real, &container)
        case .date(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try Self.encode(value.timeIntervalSinceReferenceDate, .date, &container)
        case .binary(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .binary)
        case .dictionary(let values):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(values, forKey: .dictionary)
        }
    }
}

extension Encoder {
    fileprivate func encode(single value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
