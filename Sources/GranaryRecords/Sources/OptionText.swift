package import Foundation
package import GranaryBase
package import GranaryFormats

/// Parsers for the text of option values, shared by the command line and plans.
package enum OptionText {
    /// Parses one byte; `\t` and `tab` are the tab character.
    package static func byte(_ text: String) throws(OptionProblem) -> UInt8 {
        if text == "\\t" || text == "tab" { return UInt8(ascii: "\t") }
        guard text.utf8.count == 1, let byte = text.utf8.first else {
            throw OptionProblem("one byte is needed, such as ; or \\t")
        }
        return byte
    }

    /// Parses a separator in numbers: one character, or its code such as `U+00A0` (a no-break space).
    package static func separator(_ text: String) throws(OptionProblem) -> Unicode.Scalar {
        let scalars = text.unicodeScalars
        if scalars.count == 1, let scalar = scalars.first { return scalar }
        if text.prefix(2).uppercased() == "U+", (4...6).contains(text.utf8.count - 2),
            let scalar = UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        {
            return scalar
        }
        throw OptionProblem("one character is needed, such as , or U+00A0 (a no-break space)")
    }

    package static func timeZone(_ text: String) throws(OptionProblem) -> TimeZone {
        guard let zone = TimeZone(identifier: text) else {
            throw OptionProblem("there is no time zone \(text); valid names are like Europe/Berlin or UTC")
        }
        return zone
    }

    /// Parses the identifier of a locale that the system has, such as `de` or `en_US`.
    package static func locale(_ text: String) throws(OptionProblem) -> Locale {
        let name = text.replacing("-", with: "_")
        let known = Locale.availableIdentifiers
        guard known.contains(name) else {
            throw OptionProblem(
                "there is no locale \(text)\(NearestText.hint(for: name, in: known)); valid names are like de or en_US")
        }
        return Locale(identifier: name)
    }

    /// Parses a place of records: `data.items`, or `Book=data.books` with its entity.
    package static func recordPlace(_ text: String) -> RecordPlace {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return RecordPlace(text) }
        return RecordPlace(String(text[text.index(after: equals)...]), entity: String(text[..<equals]))
    }

    /// Splits names at commas without trimming them.
    package static func names(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    package static func encoding(_ text: String) throws(OptionProblem) -> TextEncoding {
        guard let encoding = TextEncoding(name: text) else {
            let names = TextEncoding.allNames
            throw OptionProblem(
                "the encoding \(Diagnostic.shortened(text)) is not known\(NearestText.hint(for: text, in: names)); "
                    + "known are " + names.joined(separator: ", "))
        }
        return encoding
    }

    /// The fields of `strftime`, and of spreadsheets, as those of Unicode patterns.
    private static let foreignFields = [
        ("%d", "dd"), ("%m", "MM"), ("%Y", "yyyy"), ("%y", "yy"), ("%H", "HH"), ("%M", "mm"), ("%S", "ss"),
        ("%b", "MMM"), ("%B", "MMMM"), ("%p", "a"), ("%I", "hh"), ("%z", "Z"),
    ]

    /// A valid pattern in place of one with the letters of another language: `DD.MM.YYYY`, `%d.%m.%Y`; nil if there is
    /// none.
    private static func likelyPattern(_ text: String) -> String? {
        var pattern = text
        if text.contains("%") {
            for (field, unicode) in foreignFields { pattern = pattern.replacing(field, with: unicode) }
        } else {
            pattern = String(pattern.map { $0 == "D" ? "d" : $0 == "Y" ? "y" : $0 == "S" ? "s" : $0 })
        }
        return pattern != text && (try? DatePattern(pattern)) != nil ? pattern : nil
    }

    /// Parses a date format: `iso8601`, `seconds` or `core-data`, `unix`, `unix-ms`, `excel`, `excel-1904`, `dotnet`, or
    /// a pattern.
    package static func dateFormat(_ text: String) throws(OptionProblem) -> DateFormat {
        switch text {
        case "iso8601": return .iso8601
        case "seconds", "core-data": return .seconds
        case "unix": return .unix
        case "unix-ms": return .unixMilliseconds
        case "excel": return .excel
        case "excel-1904": return .excel1904
        case "dotnet": return .dotNet
        default:
            do { _ = try DatePattern(text) } catch {
                let meant = likelyPattern(text).map { "; did you mean \($0)?" } ?? ""
                throw OptionProblem("the pattern \"\(text)\": \(error.reason)\(meant)")
            }
            return .pattern(text)
        }
    }
}
