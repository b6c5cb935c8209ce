import Foundation
import GranaryBase

/// How the numbers of a column can be read: each pair of separators, with how many texts it accepts.
struct NumberReadings {
    struct Candidate {
        let format: NumberFormat
        var accepted = 0
        var rejected = 0
        var fractions = 0
        /// The other candidates that read a text of the column as another number.
        var contradicted: Set<Int> = []
    }

    /// The likelier first. All read a text without separators in the same way.
    static let formats: [NumberFormat] = {
        var pairs: [(Unicode.Scalar, Unicode.Scalar?)] = [(".", nil), (",", nil), (".", ","), (",", ".")]
        for group: Unicode.Scalar in [" ", "\u{A0}", "\u{202F}", "'", "\u{2019}"] {
            pairs += [(".", group), (",", group)]
        }
        return pairs.compactMap { NumberFormat(decimalSeparator: $0, groupSeparator: $1) }
    }()

    private(set) var candidates = Self.formats.map { Candidate(format: $0) }
    /// The number of texts of digits alone, which all formats accept.
    private(set) var plain = 0
    /// The texts around numbers, and how often; the empty one stands for a negative number in another form.
    private(set) var affixes: [String: Int] = [:]
    /// Whether a text begins with a plus sign, which a number does not keep, as a phone number.
    private(set) var hasPlusSigns = false
    /// The first text of which no format makes a number.
    private(set) var firstOther: String?
    private(set) var others = 0
    private(set) var count = 0

    /// After so many texts that are no numbers, and hardly any that are, no more are read.
    private static let patience = 50
    private static let mostAffixes = 4
    var isHopeless: Bool { others > Self.patience && others * 2 > count }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard !isHopeless else { return }
        count += 1
        if text.first == UInt8(ascii: "+") { hasPlusSigns = true }
        if Self.isPlain(text) {
            plain += 1
            return
        }
        var values = read(text)
        if values.isEmpty, let (affix, number) = Self.withoutAffix(text) {
            values = number.withUnsafeBufferPointer { read($0) }
            if !values.isEmpty, affixes[affix] != nil || affixes.count < Self.mostAffixes {
                affixes[affix, default: 0] += 1
            }
        }
        let accepting = Set(values.map(\.0))
        for index in candidates.indices {
            if accepting.contains(index) { candidates[index].accepted += 1 } else { candidates[index].rejected += 1 }
        }
        for (index, value) in values where value.exponent < 0 { candidates[index].fractions += 1 }
        if values.isEmpty {
            others += 1
            if firstOther == nil { firstOther = String(decoding: text.prefix(60), as: UTF8.self) }
        }
        for (index, value) in values {
            for (other, otherValue) in values where value != otherValue { candidates[index].contradicted.insert(other) }
        }
    }

    /// The numbers that the candidates make of a text. Candidates that reject many texts that others accept are out.
    private func read(_ text: UnsafeBufferPointer<UInt8>) -> [(Int, ExactDecimal)] {
        let least = candidates.lazy.map(\.rejected).min() ?? 0
        return candidates.indices.compactMap { index in
            guard candidates[index].rejected - least <= Self.patience else { return nil }
            return (try? DecimalText.parse(text, format: candidates[index].format)).map { (index, $0) }
        }
    }

    /// Digits with at most a sign before them.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.count <= 18 && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The text around a number, without spaces, and the number; nil if there is none.
    private static func withoutAffix(_ text: UnsafeBufferPointer<UInt8>) -> (String, [UInt8])? {
        let string = String(decoding: text, as: UTF8.self)
        guard text.count <= 60, string.contains(where: { $0.isASCII && $0.isNumber }) else { return nil }
        let isInner = { (character: Character) in
            (character.isASCII && character.isNumber) || "+-()\u{2212}".contains(character) || character.isWhitespace
        }
        let before = string.prefix { !isInner($0) }
        let after = string.reversed().prefix { !isInner($0) }.reversed()
        for affix in [String(before), String(after), ""] where isAffix(affix, before: affix == before, of: string) {
            if let number = NumberAffixes([affix]).number(in: text) { return (affix, number) }
        }
        return nil
    }

    /// What is written as currencies beside signs and the codes of ISO 4217.
    private static let currencies: Set<String> = [
        "kr", "Kr", "Fr", "zł", "Kč", "Ft", "lei", "лв", "руб", "R$", "US$", "Rs", "RM", "din", "KM",
    ]
    private static let marks: Set<String> = ["%", "‰", "°"]

    private static func isCurrency(_ text: String) -> Bool {
        currencies.contains(text) || currencyCodes.contains(text)
            || text.unicodeScalars.count == 1
                && text.unicodeScalars.first?.properties.generalCategory == .currencySymbol
    }

    private static let currencyCodes = Set(Locale.Currency.isoCurrencies.map { $0.identifier.uppercased() })

    /// Whether a text is a currency, or a unit after a space. Other letters are parts of a code, such as `R-1001` or `12a`.
    private static func isAffix(_ text: String, before: Bool, of whole: String) -> Bool {
        if text.isEmpty || marks.contains(text) || isCurrency(text) { return true }
        return !before && text.count > 1 && text.allSatisfy(\.isLetter)
            && whole.dropLast(text.count).last?.isWhitespace == true
    }

    /// Whether numbers without their affixes say the same: all have the same currency, or a percent sign, and only some
    /// have the other forms of negative numbers.
    var losesNothing: Bool {
        let texts = affixes.keys.filter { !$0.isEmpty }
        let areKnown = texts.allSatisfy { $0 == "%" || Self.isCurrency($0) }
        return !hasPlusSigns && texts.count <= 1 && areKnown && affixes["", default: 0] * 2 < max(count, 1)
    }

    /// How many texts a candidate accepts.
    func accepted(_ index: Int) -> Int { plain + candidates[index].accepted }

    /// The candidate that accepts most, and how many.
    var best: (index: Int, accepted: Int) {
        let index = candidates.indices.max { candidates[$0].accepted < candidates[$1].accepted } ?? 0
        let first = candidates.firstIndex { $0.accepted == candidates[index].accepted } ?? 0
        return (first, candidates[first].accepted + plain)
    }

    /// Whether nearly all texts are numbers.
    var isLikely: Bool { count > 0 && !isHopeless && Double(best.accepted) >= 0.95 * Double(count) }
}
