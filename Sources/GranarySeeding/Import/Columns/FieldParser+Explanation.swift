import GranaryBase
import GranaryFormats
import GranaryModel

/// Descriptions of valid texts for the messages of refused fields.
extension FieldParser {
    /// Returns the error with a description of what would be valid.
    ///
    /// - Parameter isResult: whether the text is a result of the enumeration.
    func explained(
        _ error: ValueTextError, _ kind: Record.Kind, _ found: UnsafeBufferPointer<UInt8>, isResult: Bool = false
    ) -> ValueTextError {
        switch error {
        case .syntax(let reason):
            guard let expectation = expectation(kind, found, isResult: isResult) else { return error }
            return .syntax("\(reason); expected \(expectation)")
        case .range(let reason): return .range(limits(reason))
        case .ambiguous: return error
        case .precision(let reason):
            guard let scale = rules?.scale else { return error }
            return .precision("\(reason); the column's scale is \(scale)")
        }
    }

    private func expectation(
        _ kind: Record.Kind, _ found: UnsafeBufferPointer<UInt8>, isResult: Bool
    ) -> String? {
        let isText = kind == .text || kind == .quoted
        if !isResult, let texts = rules?.enumeration?.texts {
            return "one of " + AllowedTexts.list(texts, nearest: String(decoding: found, as: UTF8.self))
        }
        if let words = rules?.words { return words.phrase }
        switch type {
        case .integer16, .integer32, .integer64:
            return rules?.scale == nil
                ? "digits alone, such as \(wholeNumber(kind))" : "a number such as \(number(kind))"
        case .decimal, .double, .float: return "a number such as \(number(kind))"
        // The error's reason has the words already.
        case .boolean: return isText || kind == .number ? nil : "true or false"
        case .date: return date
        case .string:
            return isPropertyList
                ? "text, which a property list has in <string>" : "text, which JSON has in quotation marks"
        case .uri: return "a URI such as https://example.org/a%20b"
        case .uuid: return "one such as 2EB8AA08-AA98-11EA-B4AA-73B441D16380"
        case .binary, .transformable:
            return isHex
                ? "two hexadecimal digits a byte, such as 4772616e" : "Base64 with its padding, such as R3JhbmFyeQ=="
        case .undefined, .objectID, .composite: return nil
        }
    }

    private func limits(_ reason: String) -> String {
        if let range = type.integerRange { return "outside \(range.lowerBound) to \(range.upperBound)" }
        // A scaled number is read as a Decimal, which has another range.
        if let scale = rules?.scale { return "\(reason); the column's scale is \(scale)" }
        switch type {
        case .double: return "\(reason); the range is ±5e-324 to ±1.7976931348623157e+308"
        case .float: return "\(reason); the range is ±1e-45 to ±3.4028235e+38"
        case .decimal: return "\(reason); the range is ±1e-128 to about ±1e+165"
        default: return reason
        }
    }

    /// An example: 1234, also with groups if the column has them.
    private func wholeNumber(_ kind: Record.Kind) -> String {
        guard let group = format(of: kind).groupSeparator else { return "1234" }
        return "1\(Self.text(group))234 or 1234"
    }

    private func number(_ kind: Record.Kind) -> String {
        let format = format(of: kind)
        let fraction = Self.text(format.decimalSeparator) + "5"
        guard let group = format.groupSeparator else { return "1234" + fraction }
        return "1\(Self.text(group))234\(fraction) or 1234\(fraction)"
    }

    private static func text(_ byte: UInt8) -> String { String(decoding: [byte], as: UTF8.self) }

    private var date: String { dateFormats.map { date($0) }.joined(separator: ", or ") }

    private func date(_ format: ImportOptions.DateFormat) -> String {
        switch format {
        case .seconds: return "seconds since 2001-01-01 00:00:00 UTC, such as 807021000"
        case .unix: return "seconds since 1970-01-01 00:00:00 UTC, such as 1785328200"
        case .unixMilliseconds: return "milliseconds since 1970-01-01 00:00:00 UTC, such as 1785328200000"
        case .iso8601:
            return hasTimeZone
                ? "a date such as 2026-07-29, 2026-07-29T14:30:00 or, with its zone, 2026-07-29T14:30:00+02:00"
                : "a date with its zone, such as 2026-07-29T14:30:00Z or 2026-07-29T14:30:00+02:00"
        case .pattern(let text):
            var phrase = "the form \(Diagnostic.shortened(text))"
            guard let pattern = try? DatePattern(text) else { return phrase }
            phrase += ", such as \(Diagnostic.shortened(pattern.example))"
            return hasTimeZone || pattern.hasZone ? phrase : phrase + ", in a known time zone"
        }
    }
}
