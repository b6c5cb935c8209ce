import GranaryBase
import GranaryFormats
import GranaryModel

/// Descriptions of valid texts for the messages about invalid fields.
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
        // The reason names the words already, unless another kind of value was found.
        if let words = rules?.words { return isText || kind == .number ? nil : words.phrase }
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            if let separator = otherSeparator(kind, found) { return separator }
            return type.integerRange != nil && rules?.scale == nil
                ? "digits alone, such as \(wholeNumber(kind))" : "a number such as \(number(kind))"
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

    /// The separator that is expected where the text has one that looks like it; nil if that is not the problem. An
    /// example would not show the difference.
    private func otherSeparator(_ kind: Record.Kind, _ found: UnsafeBufferPointer<UInt8>) -> String? {
        let format = format(of: kind)
        guard let group = format.groupSeparator, let other = CharacterName.firstLookalike(in: found), other != group,
            other != format.decimalSeparator
        else { return nil }
        return "\(CharacterName.phrase(group)), between groups of digits"
    }

    /// An example: 1234, also with groups if the column has them.
    private func wholeNumber(_ kind: Record.Kind) -> String { example(fraction: "", format(of: kind)) }

    private func number(_ kind: Record.Kind) -> String {
        let format = format(of: kind)
        return example(fraction: "\(format.decimalSeparator)5", format)
    }

    private func example(fraction: String, _ format: NumberFormat) -> String {
        guard let group = format.groupSeparator else { return "1234" + fraction }
        // A space from outside ASCII looks like another one.
        guard group.isASCII else {
            return "1234\(fraction), also with \(CharacterName.phrase(group)), between groups of digits"
        }
        return "1\(group)234\(fraction) or 1234\(fraction)"
    }

    private var date: String { dateFormats.map { date($0) }.joined(separator: ", or ") }

    private func date(_ format: ImportOptions.DateFormat) -> String {
        switch format {
        case .seconds: return "seconds since 2001-01-01 00:00:00 UTC, such as 807021000"
        case .unix: return "seconds since 1970-01-01 00:00:00 UTC, such as 1785328200"
        case .unixMilliseconds: return "milliseconds since 1970-01-01 00:00:00 UTC, such as 1785328200000"
        case .excel, .excel1904:
            let phrase = "the number of a day in a spreadsheet, such as 45292.5"
            return hasTimeZone ? phrase : phrase + ", in a known time zone"
        case .dotNet: return "the form /Date(…)/ with milliseconds since 1970-01-01, such as /Date(1785328200000)/"
        case .iso8601:
            return hasTimeZone
                ? "a date such as 2026-07-29, 2026-07-29T14:30:00 or, with its zone, 2026-07-29T14:30:00+02:00"
                : "a date with its zone, such as 2026-07-29T14:30:00Z or 2026-07-29T14:30:00+02:00, or the zone of all "
                    + "dates (the option time-zone)"
        case .pattern(let text):
            var phrase = "the form \(Diagnostic.shortened(text))"
            guard let pattern = try? DatePattern(text) else { return phrase }
            phrase += ", such as \(Diagnostic.shortened(pattern.example))"
            return hasTimeZone || pattern.hasZone ? phrase : phrase + ", in a known time zone"
        }
    }
}
