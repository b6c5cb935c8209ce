import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// The text of values in a model as text: as in the model XML, but dates in ISO 8601, Booleans as `true` and `false`,
/// binary data in base64.
enum ModelTextValue {
    /// A date without a time zone is in UTC; a number is seconds since 2001-01-01 00:00:00 UTC.
    static func value(_ text: String, _ type: AttributeType) -> AttributeValue? {
        switch type {
        case .date: ModelValueText.date(text) ?? AttributeValue.date(text).map(AttributeValue.date)
        case .binary, .transformable: Data(base64Encoded: text).map(AttributeValue.binary)
        default: ModelValueText.value(text, type)
        }
    }

    /// The text of a value of an attribute; nil if reading it would give another value.
    static func text(_ value: AttributeValue, _ type: AttributeType) -> String? {
        guard let text = text(value), self.value(text, type) == value else { return nil }
        return text
    }

    static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .boolean(let value): return value ? "true" : "false"
        case .binary(let data): return data.base64EncodedString()
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            guard seconds.isFinite else { return nil }
            // Whole seconds from the year 1 to 9999.
            if seconds == seconds.rounded(), (-63_113_904_000..<252_455_616_000).contains(seconds) {
                let text = date.formatted(.iso8601)
                if AttributeValue.date(text) == date { return text }
            }
            return ModelValueText.seconds(value)
        case .double, .float, .decimal:
            guard let text = ModelValueText.text(value) else { return nil }
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        default: return ModelValueText.text(value)
        }
    }

    /// A value of user info that has no quotes: a Boolean, an integer, a number with a fraction, otherwise text.
    static func plain(_ text: String) -> UserInfoValue {
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if let number = Int64(text), String(number) == text { return .integer(number) }
        if isNumeral(text), let number = Double(text), number.isFinite { return .real(number) }
        return .string(text)
    }

    /// Whether a text without quotes could be read as something else than text.
    static func isAmbiguous(_ text: String) -> Bool {
        if case .string = plain(text) { return ["null", "~", ""].contains(text) }
        return true
    }

    private static func isNumeral(_ text: String) -> Bool {
        text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "e"), UInt8(ascii: "E"):
                    true
                default: false
                }
            }
    }
}
