public import Foundation
public import GranaryBase

/// How a text file is written for people and programs of a country: its separators, encoding, dates and words.
///
/// An import reads such a file with the options of the same names. The sidecar of an export contains them.
public struct TextForm: Sendable, Hashable {
    /// CSV and TSV: the byte between fields; nil for a comma or a tab.
    public var delimiter: UInt8?
    /// CSV and TSV: the byte around fields that need it; nil for `"`.
    public var quote: UInt8?
    /// The encoding; nil for UTF-8. A text with a character that the encoding lacks is an error.
    public var encoding: TextEncoding?
    /// Whether the file begins with a byte order mark, by which a spreadsheet recognises UTF-8.
    public var hasByteOrderMark = false
    /// CSV and TSV: the character before the fraction of a number.
    public var decimalSeparator: Unicode.Scalar = "."
    /// The formats of dates, tried in order: a date is written in the first that expresses it exactly. Empty for ISO
    /// 8601.
    public var dateFormats: [DateFormat] = []
    /// The locale of the names of months and weekdays; nil for English.
    public var locale: Locale?
    /// The time zone in which dates are written; nil for UTC in ISO 8601. A pattern without a zone needs it.
    public var timeZone: TimeZone?
    /// CSV and TSV: the word for true; nil for `true`.
    public var trueText: String?
    /// CSV and TSV: the word for false; nil for `false`.
    public var falseText: String?

    /// Commas, double quotes, UTF-8, a point, ISO 8601 in UTC, `true` and `false`.
    public init() {}
}

extension TextForm {
    /// Whether a file in this form is read like one in the default form: only its byte order mark may differ.
    package var isPlain: Bool {
        var other = self
        other.hasByteOrderMark = false
        return other == TextForm()
    }

    /// Whether dates have another form than ``DateStyle`` gives them.
    package var changesDates: Bool { !dateFormats.isEmpty || timeZone != nil }

    /// The formats of dates.
    package var datesInOrder: [DateFormat] { dateFormats.isEmpty ? [.iso8601] : dateFormats }

    /// The option and the reason why the form cannot be written; nil if it can.
    package var problem: (option: String, reason: String)? {
        if let reason = NumberFormat.problem(decimalSeparator: decimalSeparator, groupSeparator: nil) {
            return ("decimal-separator", reason)
        }
        if (trueText == nil) != (falseText == nil) {
            return (trueText == nil ? "true" : "false", "is needed too: true and false each need a word")
        }
        if let trueText, let falseText {
            if trueText.isEmpty || falseText.isEmpty { return ("true", "a word for true or false cannot be empty") }
            if trueText.utf8.elementsEqual(falseText.utf8) {
                return ("true", "\"\(trueText)\" cannot be both true and false")
            }
        }
        if hasByteOrderMark, let encoding, !encoding.isUnicode {
            return ("bom", "\(encoding.name) has no byte order mark")
        }
        for format in dateFormats {
            do throws(ValueTextError) { _ = try format.form(locale: locale) } catch {
                return ("date-format", "the pattern \"\(format.optionText)\": \(error.reason)")
            }
        }
        return nil
    }

    /// The option and the reason why a format cannot have the form; nil if it can.
    package func problem(for format: DataFormat) -> (option: String, reason: String)? {
        if let problem { return problem }
        let isSet: [(option: String, isSet: Bool)] = [
            ("delimiter", delimiter != nil), ("quote", quote != nil), ("decimal-separator", decimalSeparator != "."),
            ("true", trueText != nil), ("false", falseText != nil), ("encoding", encoding != nil),
            ("bom", hasByteOrderMark), ("date-format", !dateFormats.isEmpty), ("time-zone", timeZone != nil),
            ("locale", locale != nil),
        ]
        let (accepted, rest): (Set<String>, String) =
            switch format {
            case .csv, .tsv: (Set(isSet.map(\.option)), "")
            case .json, .ndjson:
                (["encoding", "bom", "date-format", "time-zone", "locale"], "JSON has its own form of other values")
            case .terms:
                (Set(isSet.map(\.option)).subtracting(["delimiter", "quote"]), "a constant table has no quotes")
            case .plist: ([], "a property list has types for its values")
            }
        for (option, isSet) in isSet where isSet && !accepted.contains(option) {
            return (option, "does not apply to \(format.rawValue): \(rest)")
        }
        return nil
    }

    /// Lets an output convert what is written to the encoding.
    package func apply(to output: ByteOutput) { output.encode(as: encoding ?? .utf8, hasMark: hasByteOrderMark) }

    /// The options of `granary import` that read a file in this form.
    package var importOptions: [String] {
        var options: [String?] = []
        func add(_ name: String, _ value: String?) { if let value { options.append(OptionHelp.option(name, value)) } }
        func text(_ byte: UInt8?) -> String? {
            byte.map { $0 == UInt8(ascii: "\t") ? "tab" : String(decoding: [$0], as: UTF8.self) }
        }
        add("delimiter", text(delimiter))
        add("quote", text(quote))
        if encoding != .utf8 { add("encoding", encoding?.optionName) }
        if decimalSeparator != "." { add("decimal-separator", Self.text(decimalSeparator)) }
        for format in dateFormats where dateFormats != [.iso8601] { add("date-format", format.optionText) }
        add("locale", locale?.identifier)
        // Foundation calls UTC GMT.
        add("time-zone", timeZone.map { $0 == .gmt ? "UTC" : $0.identifier })
        add("true", trueText)
        add("false", falseText)
        return options.compactMap { $0 }
    }

    /// A separator as an option names it: the character, or the code of one that looks like another.
    package static func text(_ separator: Unicode.Scalar) -> String {
        separator.isASCII ? String(separator) : CharacterName.code(separator)
    }
}
