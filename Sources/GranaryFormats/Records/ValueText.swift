package import GranaryBase

/// The text of values in CSV and JSON.
///
/// Integers are digits, booleans `true` and `false`, doubles and floats the shortest text that reads back as the same
/// bits, decimals plain with all their digits, UUIDs upper case. Text and URIs are unchanged.
package enum ValueText {
    /// Appends the value's text; nothing for NULL, which each format writes differently.
    ///
    /// - Parameter nonFinite: whether a number or date that is not finite is refused, or written as `Infinity`,
    ///   `-Infinity` or `NaN`.
    /// - Throws: ``GranaryError`` with code `refused` (`value.range`) for a date that ISO 8601 cannot express (outside
    ///   the years 0000 to 9999) and for a number that is not finite.
    package static func append(
        _ value: BorrowedValue, dates: DateStyle, binary: BinaryStyle, nonFinite: NonFiniteStyle = .error,
        to output: inout [UInt8]
    ) throws(GranaryError) {
        if nonFinite == .text, let text = nonFiniteText(value) {
            output.append(contentsOf: text.utf8)
            return
        }
        switch value {
        case .null: break
        case .boolean(let flag): BooleanText.append(flag, to: &output)
        case .integer(let number): IntegerText.append(number, to: &output)
        case .float(let number):
            guard number.isFinite else { throw notFinite("\(number)") }
            FloatingText.append(number, to: &output)
        case .double(let number):
            guard number.isFinite else { throw notFinite("\(number)") }
            FloatingText.append(number, to: &output)
        case .decimal(let number): DecimalText.append(number, to: &output)
        case .date(let seconds): try append(date: seconds, dates, to: &output)
        case .text(let bytes), .uri(let bytes): output.append(contentsOf: bytes)
        case .uuid(let uuid): UUIDText.append(uuid, to: &output)
        case .binary(let bytes):
            switch binary {
            case .base64: Base64Text.encode(bytes, into: &output)
            case .hex: HexText.encode(bytes, into: &output)
            }
        }
    }

    /// Appends the text of a number, Boolean, date or UUID that consists of ``isOfNumber(_:)`` characters.
    ///
    /// - Returns: whether it was appended. ``append(_:dates:binary:nonFinite:to:)`` writes the others: texts, binary
    ///   data, decimals, what is not finite, and rare dates.
    @inline(__always)
    static func appendNumber(_ value: BorrowedValue, dates: DateStyle, to output: inout ByteBuffer) -> Bool {
        switch value {
        case .integer(let number): output.append(integer: number)
        case .boolean(let flag): output.append(boolean: flag)
        case .double(let number):
            guard number.isFinite else { return false }
            output.append(double: number)
        case .float(let number):
            guard number.isFinite else { return false }
            output.append(float: number)
        case .date(let seconds):
            guard dates == .seconds else { return output.append(date: seconds) }
            guard seconds.isFinite else { return false }
            output.append(double: seconds)
        case .uuid(let uuid): output.append(uuid: uuid)
        case .null, .decimal, .text, .uri, .binary: return false
        }
        return true
    }

    /// Whether the text of a number, Boolean, date or UUID can contain the character.
    static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private static func append(
        date seconds: Double, _ style: DateStyle, to output: inout [UInt8]
    ) throws(GranaryError) {
        guard seconds.isFinite else { throw notFinite("\(seconds)") }
        switch style {
        case .seconds: FloatingText.append(seconds, to: &output)
        case .iso8601:
            guard DateText.append(seconds, to: &output) else {
                throw GranaryError(
                    Diagnostic(
                        .valueRange,
                        "a date \(seconds) seconds from 2001 is outside the years 0000 to 9999; write dates as seconds",
                        help: "--dates seconds")
                )
            }
        }
    }

    /// The text of a number or date that is not finite; nil for other values.
    package static func nonFiniteText(_ value: BorrowedValue) -> String? {
        let number: Double
        switch value {
        case .float(let value): number = Double(value)
        case .double(let value), .date(let value): number = value
        case .null, .boolean, .integer, .decimal, .text, .uri, .uuid, .binary: return nil
        }
        if number.isFinite { return nil }
        if number.isNaN { return "NaN" }
        return number < 0 ? "-Infinity" : "Infinity"
    }

    private static func notFinite(_ text: String) -> GranaryError {
        GranaryError(Diagnostic(.valueRange, "\(text) is not a finite number", value: text, help: "--non-finite text"))
    }
}

extension BorrowedValue {
    /// Whether the value is a finite number, or a date, whose text is a number or begins with a digit.
    var isNumber: Bool {
        switch self {
        case .integer, .decimal: true
        case .float(let number): number.isFinite
        case .double(let number), .date(let number): number.isFinite
        case .null, .boolean, .text, .uri, .uuid, .binary: false
        }
    }
}
