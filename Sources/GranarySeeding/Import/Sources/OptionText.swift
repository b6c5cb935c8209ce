package import Foundation
package import GranaryBase

/// A problem of an option on the command line or in a plan.
package struct OptionProblem: Error, Hashable {
    /// The option's name without leading dashes, such as `skip-rows`; empty if the caller adds it.
    package var option: String
    /// The problem, as the predicate of a sentence.
    package let message: String
    /// Whether the option has no effect, so that it is only a warning in some cases.
    package let isMoot: Bool

    package init(_ message: String, option: String = "", isMoot: Bool = false) {
        self.option = option
        self.message = message
        self.isMoot = isMoot
    }
}

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

    /// Parses a date format: `iso8601`, `seconds` or `core-data`, `unix`, `unix-ms`, or a pattern.
    package static func dateFormat(_ text: String) throws(OptionProblem) -> ImportOptions.DateFormat {
        switch text {
        case "iso8601": return .iso8601
        case "seconds", "core-data": return .seconds
        case "unix": return .unix
        case "unix-ms": return .unixMilliseconds
        default:
            do { _ = try DatePattern(text) } catch { throw OptionProblem("the pattern \"\(text)\": \(error.reason)") }
            return .pattern(text)
        }
    }

    /// Parses a prune limit, a number or a percentage of objects: `50`, `25%`.
    package static func pruneLimit(_ text: String) throws(OptionProblem) -> ImportOptions.PruneLimit {
        if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
            return .percent(share)
        }
        if let count = Int(text), count >= 0 { return .count(count) }
        throw OptionProblem("a number of objects is needed, or a percentage from 0% to 100%")
    }

    /// Parses a lookup: `$id`, an attribute, or several attributes separated by commas.
    package static func lookup(_ text: String) -> ImportOptions.Lookup {
        if text == "$id" { return .identifier }
        let names = names(text)
        return names.count > 1 ? .attributes(names) : .attribute(text)
    }

    /// Parses natural keys: `A,B` for rows, `RELATIONSHIP=A,B` for nested objects.
    package static func keys(_ texts: [String]) throws(OptionProblem) -> (own: [String]?, nested: [String: [String]]) {
        var own: [String]?
        var nested: [String: [String]] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "=") else {
                if own != nil {
                    throw OptionProblem("the key of the rows is set twice; use A,B for several attributes")
                }
                own = names(text)
                continue
            }
            let name = String(text[..<equals])
            if nested.updateValue(names(String(text[text.index(after: equals)...])), forKey: name) != nil {
                throw OptionProblem("the key of \(name) is set twice")
            }
        }
        return (own, nested)
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
}
