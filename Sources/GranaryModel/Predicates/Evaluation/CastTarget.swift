import Foundation
import GranaryBase

/// The type of a `CAST`, by the name of its class.
enum CastTarget: String, Sendable {
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case text = "NSString"
    case date = "NSDate"
    case uuid = "NSUUID"
    case uri = "NSURL"
    case data = "NSData"

    /// The converted value; nil if there is none.
    func value(of value: AttributeValue) -> AttributeValue? {
        switch self {
        case .number: Self.asNumber(value)
        case .decimal: Self.asDecimal(value)
        case .text: Self.asText(value).map(AttributeValue.string)
        case .date: Self.asDate(value)
        case .uuid: Self.asUUID(value)
        case .uri: Self.asURI(value)
        case .data: if case .binary = value { value } else { nil }
        }
    }

    /// The number of a text, or the seconds of a date since 2001-01-01 00:00:00 UTC.
    private static func asNumber(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .integer, .boolean, .float, .double, .decimal: return value
        case .date(let date): return AttributeValue.number(date.timeIntervalSinceReferenceDate)
        case .string(let text):
            if let integer = Int64(text) { return .integer(integer) }
            // Not "nan", "inf" and hexadecimal numbers, which Swift accepts too.
            let isDecimal = text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || "+-.eE".utf8.contains($0) }
            guard isDecimal, let real = Double(text), real.isFinite else { return nil }
            return .double(real)
        case .binary, .uuid, .uri: return nil
        }
    }

    private static func asDecimal(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .decimal: value
        case .integer(let value): .decimal(Decimal(value))
        case .boolean(let value): .decimal(value ? 1 : 0)
        case .float(let value): asDecimal(text: "\(value)") ?? asDecimal(double: Double(value))
        case .double(let value): asDecimal(double: value)
        case .date(let value): asDecimal(double: value.timeIntervalSinceReferenceDate)
        case .string(let text): asDecimal(text: text)
        case .binary, .uuid, .uri: nil
        }
    }

    private static func asDecimal(double value: Double) -> AttributeValue? {
        ExactDecimal(shortest: value).map { .decimal($0.foundationDecimal) }
    }

    private static func asDecimal(text: String) -> AttributeValue? {
        let exact = Array(text.utf8).withUnsafeBufferPointer { try? DecimalText.parse($0) }
        return exact.map { .decimal($0.foundationDecimal) }
    }

    /// The text of a value without a locale; nil for binary data.
    private static func asText(_ value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .uri(let url): url.absoluteString
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "1" : "0"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .date(let value): asText(seconds: value.timeIntervalSinceReferenceDate)
        case .uuid(let value): value.uuidString
        case .binary: nil
        }
    }

    /// The date as ISO 8601; nil outside the years 0000 to 9999.
    private static func asText(seconds: Double) -> String? {
        var text: [UInt8] = []
        guard seconds.isFinite, DateText.append(seconds, to: &text) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static func asDate(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .date: return value
        case .string(let text): return AttributeValue.date(text).map { .date($0) }
        default:
            guard let seconds = ArithmeticNumber(value)?.double, !seconds.isNaN else { return nil }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
    }

    private static func asUUID(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .uuid: value
        case .string(let text): UUID(uuidString: text).map { .uuid($0) }
        default: nil
        }
    }

    private static func asURI(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .uri: value
        case .string(let text): URL(string: text, encodingInvalidCharacters: false).map { .uri($0) }
        default: nil
        }
    }
}
