import Foundation
import GranaryBase

/// The type of a `CAST`, by the name of its class.
package enum CastTarget: String, Sendable {
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
        case .data: Self.asData(value)
        }
    }

    /// A cast of a constant.
    enum Constant {
        case value(AttributeValue)
        /// The text is not of the type; the type in words.
        case invalid(String)
        /// A cast to evaluate for each object.
        case function
    }

    /// The value of `CAST(constant, "type")`, which is how the format language writes constants of other types than
    /// numbers and text.
    func constant(_ value: AttributeValue) -> Constant {
        switch (self, value) {
        case (.number, .string(let text)):
            return Self.special(text).map { Constant.value(.double($0)) } ?? .function
        case (.number, _), (.text, _): return .function
        case (_, .string(let text)):
            let converted = self.value(of: value) ?? unusual(text)
            return converted.map(Constant.value) ?? .invalid(phrase)
        case (.date, .integer), (.date, .double):
            return self.value(of: value).map(Constant.value) ?? .function
        default: return .function
        }
    }

    private var phrase: String {
        switch self {
        case .number, .decimal: "a number"
        case .text: "text"
        case .date: "an ISO 8601 date"
        case .uuid: "a UUID"
        case .uri: "a URL"
        case .data: "Base64"
        }
    }

    /// A value that the printed form of a constant can contain, but text in data cannot: an infinite date, or a decimal
    /// that is NaN or has 39 digits.
    private func unusual(_ text: String) -> AttributeValue? {
        switch self {
        case .date:
            return Self.special(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .decimal:
            if text == "NaN" { return .decimal(.nan) }
            // Foundation alone would accept `1x` as 1.
            guard let value = Decimal(string: text), value.description == text else { return nil }
            return .decimal(value)
        case .number, .text, .uuid, .uri, .data: return nil
        }
    }

    /// The numbers without digits, as the description of a `Double` spells them.
    private static func special(_ text: String) -> Double? {
        switch text {
        case "nan": .nan
        case "inf": .infinity
        case "-inf": -.infinity
        default: nil
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

    /// The bytes of a Base64 text.
    private static func asData(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .binary: return value
        case .string(let text):
            var bytes: [UInt8] = []
            do throws(ValueTextError) {
                try Array(text.utf8).withUnsafeBufferPointer { text throws(ValueTextError) in
                    try Base64Text.decode(text, into: &bytes)
                }
            } catch {
                return nil
            }
            return .binary(Data(bytes))
        default: return nil
        }
    }
}
