import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel

/// Reads fields as values of one attribute's type: from bytes straight to the value, nothing trimmed or guessed.
struct FieldParser {
    let attribute: Schema.Attribute
    private let type: AttributeType
    private let nullTexts: [[UInt8]]
    /// The usual case: nothing but the empty field is NULL.
    private let nullIsEmpty: Bool
    private let numberFormat: NumberFormat
    private let acceptsSeconds: Bool
    private let isHex: Bool
    private var dates: DateTextReader

    /// - Throws: ``GranaryError`` with code `usage` when the options contradict themselves.
    init(_ attribute: Schema.Attribute, options: ImportOptions) throws(GranaryError) {
        self.attribute = attribute
        type = attribute.type
        nullTexts = options.nullTexts.map { Array($0.utf8) }
        nullIsEmpty = options.nullTexts == [""]
        guard
            let format = NumberFormat(
                decimalSeparator: options.decimalSeparator, groupSeparator: options.groupSeparator)
        else {
            throw GranaryError(.usage, "the decimal and the group separator are the same, or no separators")
        }
        numberFormat = format
        acceptsSeconds = options.dateFormat == .seconds
        isHex = options.binaryFormat == .hex
        switch options.dateFormat {
        case .iso8601: dates = DateTextReader(.iso8601, timeZone: options.timeZone)
        case .seconds: dates = DateTextReader(.seconds, timeZone: options.timeZone)
        case .pattern(let text):
            do { dates = DateTextReader(.pattern(try DatePattern(text)), timeZone: options.timeZone) } catch {
                throw GranaryError(.usage, "the date format \"\(text)\": \(error.reason)")
            }
        }
    }

    /// Whether the field stands for NULL.
    func isNull(_ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch kind {
        case .null: return true
        case .text:
            if nullIsEmpty { return bytes.isEmpty }
            for text in nullTexts where text.count == bytes.count && text.elementsEqual(bytes) { return true }
            return false
        case .quoted, .number, .boolean, .date, .data, .emptyList: return false
        }
    }

    /// The value that a field's bytes say. Text points into `bytes`; binary data is decoded into `scratch` and given
    /// as ``FieldValue/decoded``.
    mutating func parse(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, scratch: inout [UInt8]
    ) throws(ValueTextError) -> FieldValue {
        guard fits(kind) else { throw .syntax(Self.name(of: kind)) }
        switch type {
        case .integer16, .integer32, .integer64:
            return .value(.integer(try IntegerText.parse(bytes, format: numberFormat)))
        case .boolean: return .value(.boolean(try BooleanText.parse(bytes)))
        case .double: return .value(.double(try FloatingText.parse(bytes, format: numberFormat)))
        case .float: return .value(.float(try FloatingText.parseFloat(bytes, format: numberFormat)))
        case .decimal: return .value(.decimal(try DecimalText.parse(bytes, format: numberFormat)))
        case .date:
            return .value(.date(kind == .date ? try FloatingText.parse(bytes) : try dates.parse(bytes)))
        case .string: return .value(.text(bytes))
        case .uri:
            try URIText.check(bytes)
            return .value(.uri(bytes))
        case .uuid: return .value(.uuid(try UUIDText.parse(bytes)))
        case .binary, .transformable:
            scratch.removeAll(keepingCapacity: true)
            // A property list's own data comes in Base64 whatever the texts are written in.
            if isHex, kind != .data {
                try HexText.decode(bytes, into: &scratch)
            } else {
                try Base64Text.decode(bytes, into: &scratch)
            }
            return .decoded
        case .undefined, .objectID, .composite: throw .syntax("the type cannot be imported")
        }
    }

    /// Text may say anything; what a format itself calls a number, a Boolean, a date or data is only that.
    private func fits(_ kind: Record.Kind) -> Bool {
        switch kind {
        case .text, .quoted: true
        case .null, .emptyList: false
        case .boolean: type == .boolean
        case .date: type == .date
        case .data: type == .binary || type == .transformable
        case .number:
            switch type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
            case .date: acceptsSeconds
            default: false
            }
        }
    }

    private static func name(of kind: Record.Kind) -> String {
        switch kind {
        case .text, .quoted: "text"
        case .number: "a number"
        case .boolean: "a Boolean"
        case .date: "a date"
        case .data: "data"
        case .null: "null"
        case .emptyList: "a list"
        }
    }
}

/// What ``FieldParser/parse(_:_:scratch:)`` found.
enum FieldValue {
    case value(BorrowedValue)
    /// Binary data, which lies in the scratch buffer.
    case decoded
}
