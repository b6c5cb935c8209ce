import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel

/// Finds the option that would make an invalid field valid, for ``Diagnostic/help``.
extension FieldParser {
    private static let nullWords: Set<String> = [
        "null", "nil", "none", "n/a", "na", "#n/a", "nan", "-", "--", "\\n", "?", "(null)", "undefined", "missing",
    ]
    private static let truths = [
        ("ja", "nein"), ("j", "n"), ("y", "n"), ("oui", "non"), ("si", "no"), ("t", "f"), ("on", "off"),
        ("wahr", "falsch"), ("vrai", "faux"), ("sim", "não"), ("tak", "nie"), ("x", ""), ("da", "net"),
    ]

    /// - Returns: nil if no option accepts the value. An option that drops the column would be no help with one value.
    func help(for error: ValueTextError, _ kind: Record.Kind, _ found: UnsafeBufferPointer<UInt8>) -> String? {
        let isText = kind == .text || kind == .quoted
        if isText, case .precision = error { return nil }
        if !isText, rules?.scale == nil, hasZeroFraction(found, format(of: kind)) { return Self.zeroFractionHelp }
        if case .ambiguous = error { return dates.reads(found, policy: .earlier) ? Self.daylightSavingHelp : nil }
        if isText, rules?.enumeration == nil, rules?.words == nil, found.count <= 200,
            let option = option(kind, found)
        {
            return option
        }
        return isText && type.isNumeric && rules?.affixes == nil ? currencyHelp(found) : nil
    }

    /// The options that read a price with its currency sign, or a negative number in another form.
    private func currencyHelp(_ found: UnsafeBufferPointer<UInt8>) -> String? {
        guard found.count <= 200 else { return nil }
        let text = String(decoding: found, as: UTF8.self)
        let signs = text.unicodeScalars.filter { $0.properties.generalCategory == .currencySymbol }
        let codes = text.split { !$0.isASCII || !$0.isUppercase }.filter { $0.count == 3 }
        let affixes = signs.map { String($0) } + codes.map { String($0) } + (text.contains("%") ? ["%"] : []) + [""]
        for affix in affixes {
            guard let number = NumberAffixes([affix]).number(in: found) else { continue }
            var copy = self
            var scratch: [UInt8] = []
            let others = number.withUnsafeBufferPointer { number -> String? in
                copy.accepts(.quoted, number, scratch: &scratch) ? "" : numberHelp(number)
            }
            guard let others, let option = OptionHelp.option("currency", affix) else { continue }
            return others.isEmpty ? option : OptionHelp.all([option, others])
        }
        return nil
    }

    private func option(_ kind: Record.Kind, _ found: UnsafeBufferPointer<UInt8>) -> String? {
        if found.isEmpty, kind == .quoted { return nullHelp("--empty-is-null") }
        var scratch: [UInt8] = []
        let trimmed = ColumnRules.trimmed(found)
        if trimmed.count < found.count {
            var copy = self
            if trimmed.isEmpty { return kind == .text ? nullHelp("--trim") : nullHelp("--trim --empty-is-null") }
            if copy.accepts(kind, trimmed, scratch: &scratch) { return "--trim" }
        }
        let text = String(decoding: found, as: UTF8.self)
        if Self.nullWords.contains(text.lowercased()) {
            return OptionHelp.option("null", text).flatMap { null in
                nullHelp((kind == .quoted ? "--null-quoted " : "") + "--null '' " + null)
            }
        }
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: return numberHelp(found)
        case .boolean:
            let word = text.lowercased()
            guard let pair = Self.truths.first(where: { $0.0 == word || $0.1 == word && !word.isEmpty }) else {
                return nil
            }
            let isUpper = text != word && text == text.uppercased()
            let isTitle = text != word && !isUpper
            func spelled(_ word: String) -> String { isUpper ? word.uppercased() : isTitle ? word.capitalized : word }
            return OptionHelp.all([
                OptionHelp.option("true", spelled(pair.0)), OptionHelp.option("false", spelled(pair.1)),
            ])
        case .date:
            // The zone is missing, or the local time occurs twice or does not exist in its zone.
            if !hasTimeZone, dates.reads(found, timeZone: .gmt) { return OptionHelp.option("time-zone", "UTC") }
            if dates.reads(found, policy: .earlier) { return Self.daylightSavingHelp }
            return DateShapes.help(found, hasTimeZone: hasTimeZone)
        case .binary, .transformable:
            guard !isHex, found.count.isMultiple(of: 2) else { return nil }
            return (try? HexText.decode(found, into: &scratch)) == nil ? nil : "--binary hex"
        default: return nil
        }
    }

    private static let daylightSavingHelp = "--dst earlier or --dst later"

    /// `option`, which makes the field NULL, with the option that lets the attribute accept NULL if needed; nil if it
    /// cannot.
    private func nullHelp(_ option: String) -> String? {
        if attribute.description.isOptional { return option }
        return attribute.description.defaultValue == nil ? nil : option + " --null-is-default"
    }

    private typealias Separators = (decimal: Unicode.Scalar, group: Unicode.Scalar?)
    private static let numberFormats: [Separators] = [
        (".", nil), (",", nil), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (".", "_"),
    ]
    private static let zeroFractionHelp = "--allow-zero-fraction"

    private func hasZeroFraction(_ found: UnsafeBufferPointer<UInt8>, _ format: NumberFormat) -> Bool {
        type.integerRange != nil && IntegerText.hasZeroFraction(found, format: format)
    }

    private func number(_ found: UnsafeBufferPointer<UInt8>, _ format: NumberFormat) -> ExactDecimal? {
        if type.integerRange == nil { return try? DecimalText.parse(found, format: format) }
        return (try? IntegerText.parse(found, format: format)).map { ExactDecimal($0) }
    }

    /// The options with which the text is a number, each with another value.
    private func numberHelp(_ found: UnsafeBufferPointer<UInt8>) -> String? {
        var fitting: [(option: String?, value: ExactDecimal)] = []
        if hasZeroFraction(found, numberFormat),
            let value = try? IntegerText.parse(found, format: numberFormat, allowsZeroFraction: true)
        {
            fitting.append((Self.zeroFractionHelp, ExactDecimal(value)))
        }
        // A space or an apostrophe from outside ASCII.
        var formats = Self.numberFormats
        if let lookalike = CharacterName.firstLookalike(in: found) {
            formats.append((".", lookalike))
            formats.append((",", lookalike))
        }
        for (decimal, group) in formats {
            // No option removes the group separator that the import has.
            guard group != nil || numberFormat.groupSeparator == nil,
                let format = NumberFormat(decimalSeparator: decimal, groupSeparator: group),
                let value = number(found, format), !fitting.contains(where: { $0.value == value })
            else { continue }
            var options: [String?] = []
            func add(_ option: String, _ separator: Unicode.Scalar) {
                // A space from outside ASCII looks like another one.
                let text = separator.isASCII ? String(separator) : CharacterName.code(separator)
                options.append(OptionHelp.option(option, text))
            }
            if decimal != numberFormat.decimalSeparator { add("decimal-separator", decimal) }
            if let group, group != numberFormat.groupSeparator { add("group-separator", group) }
            fitting.append((OptionHelp.all(options), value))
        }
        return OptionHelp.either(fitting.map(\.option))
    }
}
