import Foundation
import GranaryBase
package import GranaryModel
package import GranaryPredicates

/// The text form of attribute values in `defaultValueString`, `minValueString` and `maxValueString` of the model XML.
enum ModelValueText {
    /// Whether values of the type have this text form. A Date uses other attributes, in seconds since 2001. The other
    /// types have no text form; a text that the file gives them is kept as a note.
    static func isWritten(_ type: AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .uuid, .uri: true
        case .undefined, .date, .binary, .transformable, .objectID, .composite: false
        }
    }

    static func value(_ text: String, _ type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64: integer(text).map(AttributeValue.integer)
        case .decimal: decimal(text).map { .decimal($0.foundationDecimal) }
        case .double: double(text).map(AttributeValue.double)
        case .float: float(text).map(AttributeValue.float)
        case .string: .string(text)
        case .boolean: boolean(text).map(AttributeValue.boolean)
        case .uuid: UUID(uuidString: text).map(AttributeValue.uuid)
        case .uri: URL(string: text, encodingInvalidCharacters: false).map(AttributeValue.uri)
        case .undefined, .date, .binary, .transformable, .objectID, .composite: nil
        }
    }

    /// The value that the model compiler makes of a default text that does not fit an integer or a Boolean; nil for
    /// every other text and type.
    ///
    /// 153 of 864 public models contain one: `NO` for an integer (compiled as 0), `0.0` for a Boolean.
    static func compiledDefault(_ text: String, _ type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            guard Int64(text) == nil else { return nil }
            if let flag = ElementAttributes.boolean(text) { return .integer(flag ? 1 : 0) }
            return decimal(text)?.int64.map(AttributeValue.integer)
        case .boolean:
            guard boolean(text) == nil else { return nil }
            switch decimal(text)?.int64 {
            case 0: return .boolean(false)
            case 1: return .boolean(true)
            default: return nil
            }
        default: return nil
        }
    }

    /// Zero of a type with a fraction is `0.0`, as Xcode writes it.
    static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .integer(let value): String(value)
        case .boolean(let value): value ? "YES" : "NO"
        case .float(let value): value.description
        case .double(let value): value.description
        case .decimal(let value):
            ExactDecimal(exactly: value).map { _ in
                let text = value.description
                return text.contains(".") ? text : text + ".0"
            }
        case .string(let value): value
        case .uuid(let value): value.uuidString
        case .uri(let value): value.absoluteString
        case .date, .binary: nil
        }
    }

    static func date(_ seconds: String) -> AttributeValue? {
        double(seconds).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    /// Seconds since 2001-01-01 00:00:00 UTC, without a decimal point if they are whole.
    static func seconds(_ value: AttributeValue?) -> String? {
        guard case .date(let date) = value else { return nil }
        let seconds = date.timeIntervalSinceReferenceDate
        if seconds.magnitude < 1e15, let whole = Int64(exactly: seconds) { return String(whole) }
        return seconds.description
    }

    /// Xcode keeps `0.0` when a type is changed from Double to Integer.
    private static func integer(_ text: String) -> Int64? { Int64(text) ?? decimal(text)?.int64 }

    private static func decimal(_ text: String) -> ExactDecimal? {
        var text = text
        return text.withUTF8 { try? DecimalText.parse($0) }
    }

    private static func double(_ text: String) -> Double? {
        guard isNumeral(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    private static func float(_ text: String) -> Float? {
        guard isNumeral(text), let value = Float(text), value.isFinite else { return nil }
        return value
    }

    /// Rejects other texts that Swift reads as numbers: `0x1p3`, `nan`.
    private static func isNumeral(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "1": true
        case "0": false
        default: ElementAttributes.boolean(text)
        }
    }
}

extension AttributeValue {
    /// The value of a text as in a model file; nil if the text is not of the type. Binary data, dates and transformable
    /// values have no such text.
    package init?(modelText text: String, _ type: AttributeType) {
        guard let value = ModelValueText.value(text, type) else { return nil }
        self = value
    }
}
