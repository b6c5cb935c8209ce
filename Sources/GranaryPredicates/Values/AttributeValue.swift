public import Foundation
import GranaryBase

/// A value of an attribute: a default, a managed object's value, a bound of a rule.
///
/// Text compares by its UTF-8 bytes, as in a store: a composed and a decomposed "é" differ. NULL is `nil` of the
/// optional.
public enum AttributeValue: Sendable {
    /// Integer 16, 32 and 64.
    case integer(Int64)
    /// Boolean.
    case boolean(Bool)
    /// Float. NaN and infinities are refused for every attribute.
    case float(Float)
    /// Double. NaN and infinities are refused for every attribute.
    case double(Double)
    /// Decimal. NaN is refused for every attribute.
    case decimal(Decimal)
    /// String. An empty string is not NULL.
    case string(String)
    /// Date. Its seconds must be finite.
    case date(Date)
    /// Binary data, and the bytes from a value transformer.
    case binary(Data)
    /// UUID.
    case uuid(UUID)
    /// URI. It compares by the bytes of its text.
    case uri(URL)
}

extension AttributeValue: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): a == b
        case (.boolean(let a), .boolean(let b)): a == b
        case (.float(let a), .float(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.date(let a), .date(let b)): a == b
        case (.binary(let a), .binary(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.uri(let a), .uri(let b)): a.absoluteString.utf8.elementsEqual(b.absoluteString.utf8)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let value): hasher.combine(value)
        case .boolean(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .date(let value): hasher.combine(value)
        case .binary(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .uri(let value): for byte in value.absoluteString.utf8 { hasher.combine(byte) }
        }
    }
}

/// Coded as an object with one member, whose name is the kind: `{"integer": 3}`, `{"decimal": "0.10"}`.
extension AttributeValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case integer, boolean, float, double, decimal, string, date, binary, uuid, uri
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a value is an object with one member"))
        }
        switch key {
        case .integer: self = .integer(try container.decode(Int64.self, forKey: key))
        case .boolean: self = .boolean(try container.decode(Bool.self, forKey: key))
        case .float: self = .float(try container.decode(Float.self, forKey: key))
        case .double: self = .double(try container.decode(Double.self, forKey: key))
        case .decimal:
            // As text, because a JSON number would be converted through a double.
            let text = try container.decode(String.self, forKey: key)
            guard let value = Self.decimal(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\"\(text)\" is not a Decimal")
            }
            self = .decimal(value)
        case .string: self = .string(try container.decode(String.self, forKey: key))
        case .date:
            self = .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: key)))
        case .binary: self = .binary(try container.decode(Data.self, forKey: key))
        case .uuid: self = .uuid(try container.decode(UUID.self, forKey: key))
        case .uri:
            let text = try container.decode(String.self, forKey: key)
            guard let value = URL(string: text, encodingInvalidCharacters: false) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\"\(text)\" is not a URI")
            }
            self = .uri(value)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .boolean(let value): try container.encode(value, forKey: .boolean)
        case .float(let value): try container.encode(value, forKey: .float)
        case .double(let value): try container.encode(value, forKey: .double)
        case .decimal(let value): try container.encode("\(value)", forKey: .decimal)
        case .string(let value): try container.encode(value, forKey: .string)
        case .date(let value): try container.encode(value.timeIntervalSinceReferenceDate, forKey: .date)
        case .binary(let value): try container.encode(value, forKey: .binary)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .uri(let value): try container.encode(value.absoluteString, forKey: .uri)
        }
    }

    /// Foundation alone would accept `1x` as 1; ``DecimalText`` alone does not support the few decimals of 39 digits.
    private static func decimal(_ text: String) -> Decimal? {
        do {
            return try Array(text.utf8).withUnsafeBufferPointer { try DecimalText.parse($0) }.foundationDecimal
        } catch ValueTextError.precision {
            return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        } catch {
            return nil
        }
    }
}

extension AttributeValue {
    /// The order of the value relative to another one: negative, zero or positive. Numbers compare by value; text,
    /// UUIDs and binary data compare by their bytes. Nil if the two kinds have no common order.
    package func order(to other: AttributeValue) -> Int? {
        order(to: other, .bytes)
    }
}
