import Foundation
import GranaryBase

/// Casts of constants, which are how the predicate language writes constants of other types than numbers and text.
enum PredicateCast {
    enum Result {
        case value(AttributeValue)
        /// The text is not of the type; the type in words.
        case invalid(String)
        /// A cast to evaluate for each object.
        case function
    }

    /// The value of `CAST(constant, "type")`.
    static func constant(_ value: AttributeValue, as type: String) -> Result {
        switch (type, value) {
        case ("NSDate", .integer(let seconds)):
            return .value(.date(Date(timeIntervalSinceReferenceDate: Double(seconds))))
        case ("NSDate", .double(let seconds)): return .value(.date(Date(timeIntervalSinceReferenceDate: seconds)))
        case ("NSDate", .string(let text)):
            let date = special(text).map { Date(timeIntervalSinceReferenceDate: $0) } ?? AttributeValue.date(text)
            return result(date.map { AttributeValue.date($0) }, "an ISO 8601 date")
        case ("NSNumber", .string(let text)): return special(text).map { Result.value(.double($0)) } ?? .function
        case ("NSDecimalNumber", .string(let text)):
            return result(decimal(text).map(AttributeValue.decimal), "a number")
        case ("NSUUID", .string(let text)): return result(UUID(uuidString: text).map(AttributeValue.uuid), "a UUID")
        case ("NSURL", .string(let text)):
            return result(URL(string: text, encodingInvalidCharacters: false).map(AttributeValue.uri), "a URL")
        case ("NSData", .string(let text)):
            var bytes: [UInt8] = []
            do throws(ValueTextError) {
                try Array(text.utf8).withUnsafeBufferPointer { text throws(ValueTextError) in
                    try Base64Text.decode(text, into: &bytes)
                }
            } catch {
                return .invalid("Base64")
            }
            return .value(.binary(Data(bytes)))
        default: return .function
        }
    }

    private static func result(_ value: AttributeValue?, _ phrase: String) -> Result {
        value.map(Result.value) ?? .invalid(phrase)
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

    private static func decimal(_ text: String) -> Decimal? {
        if text == "NaN" { return .nan }
        let exact = Array(text.utf8).withUnsafeBufferPointer { try? DecimalText.parse($0) }
        if let exact { return exact.foundationDecimal }
        // The few decimals of 39 digits. Foundation alone would accept `1x` as 1.
        guard let value = Decimal(string: text), value.description == text else { return nil }
        return value
    }
}
