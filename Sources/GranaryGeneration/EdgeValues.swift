import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// Values at the edges of what a type and the rules of an attribute allow: empty and longest texts, extremes of numbers,
/// leap days.
struct EdgeValues {
    let attribute: Schema.Attribute
    let hints: RuleHints

    /// The length of the longest text of an attribute without a maximum.
    private static let longText = 1000
    /// The maximum length of the longest text: many objects have it.
    private static let longestText = 10_000

    /// The domains to try before the believable ones; empty for types without edges. Rules exclude some of the values.
    var domains: [ValueDomain] {
        switch attribute.type {
        case .integer16, .integer32, .integer64: integers
        case .double: [ValueDomain(doubles.map { .double($0) })]
        case .float:
            [ValueDomain(doubles.compactMap { Float(exactly: Float($0)) }.filter(\.isFinite).map { .float($0) })]
        case .decimal: decimals
        case .string: texts
        case .date: dates
        case .binary where !attribute.mayHoldJSON:
            [ValueDomain([Data(), Data([0]), Data([0xFF, 0xFE, 0]), Data(count: 1024)].map { .binary($0) })]
        default: []
        }
    }

    // MARK: Numbers

    private var integers: [ValueDomain] {
        guard let type = attribute.type.integerRange,
            let legal = NumberDomains.multiples(hints.lower, hints.upper, scale: 0, limit: .max), legal.overlaps(type)
        else { return [] }
        let range = legal.clamped(to: type)
        let near = [0, 1, -1].filter(range.contains)
        let ends = [range.lowerBound, range.upperBound]
        return [ValueDomain((ends + near).map { .integer($0) })]
    }

    private var doubles: [Double] {
        let bounds = [hints.lower, hints.upper].compactMap { $0?.value.nearestDouble }
        let extremes: [Double] =
            attribute.type == .float
            ? [Double(Float.greatestFiniteMagnitude), -Double(Float.greatestFiniteMagnitude)]
            : [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude, 0.1 + 0.2]
        return bounds + extremes + [0, 1, -1, 0.1, -0.5, 1e15]
    }

    private var decimals: [ValueDomain] {
        let bounds = [hints.lower, hints.upper].compactMap { $0?.value.foundationDecimal }
        let others = ["0", "1", "-1", "0.01", "-0.01", "999999999999.99", "-999999999999.99"].compactMap {
            GeneratorSpecification.number($0)?.foundationDecimal
        }
        return [ValueDomain((bounds + others).map { .decimal($0) })]
    }

    // MARK: Dates

    private var dates: [ValueDomain] {
        let days = [
            "2000-02-29", "2024-02-29", "1900-03-01", "1970-01-01", "2001-01-01", "1969-12-31", "1999-12-31",
            "0001-01-01",
            "9999-12-31", "2038-01-19",
        ]
        // The first and the last second of each day.
        let seconds = days.flatMap { day in [false, true].compactMap { GeneratorSpecification.date(day, isEnd: $0) } }
        let bounds = [hints.lower, hints.upper].compactMap { $0?.value.nearestDouble }
        return [
            ValueDomain((bounds + seconds.map(Double.init)).map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
        ]
    }

    // MARK: Texts

    private static let texts = [
        "", " ", "\n", "\t", " x ", "a\r\nb", "0", "-1", "NULL", "true", "'", "\"", "''; --", "<b>&amp;</b>", "a,b;c",
        "100% %s %@ {0}", "../..", "\\", "שלום עולם", "مرحبا بالعالم", "\u{202E}abc\u{202C}", "e\u{301}", "é",
        "a\u{300}\u{301}\u{302}\u{303}",
        "👩‍👩‍👧‍👦", "🇩🇪🇯🇵", "👍🏽", "漢字かな交じり", "한국어", "ไทย", "İıſß", "ﬁ", "\u{200B}", "\u{FEFF}x", "𝒳𠜎", "Ω≈ç√∫",
    ]

    private var texts: [ValueDomain] {
        guard hints.patterns.isEmpty, let lengths = hints.lengths, lengths.lowerBound <= Self.longestText else {
            return []
        }
        let most = min(lengths.upperBound, lengths.upperBound < Self.longestText ? lengths.upperBound : Self.longText)
        let longest = Self.filled("W", max(most, lengths.lowerBound))
        // Texts that are too short are repeated, so that an attribute with a minimum has them too.
        let others = Self.texts.map { text in
            text.isEmpty || text.utf16.count >= lengths.lowerBound ? text : Self.filled(text, lengths.lowerBound)
        }.filter { lengths.contains($0.utf16.count) && $0 != longest }
        let plain = ValueDomain(([longest] + others).map { .string($0) })
        guard !others.isEmpty else { return [plain] }
        // No text ends in a space and digits, so different numbers give different texts.
        let count = UInt64(others.count)
        let numbered = ValueDomain(size: count * 1_000_000) { index in
            .string("\(others[Int(index % count)]) \(index / count + 1)")
        }
        return [plain, numbered]
    }

    /// A text repeated up to a length in UTF-16 units, and filled with `W` where the last repetition would be too long.
    private static func filled(_ text: String, _ length: Int) -> String {
        let unit = max(1, text.utf16.count)
        let repeated = String(repeating: text, count: length / unit)
        return repeated + String(repeating: "W", count: length % unit)
    }
}
