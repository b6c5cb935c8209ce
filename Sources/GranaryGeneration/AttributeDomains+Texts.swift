import GranaryBase
import GranaryModel
import GranaryPredicates

extension AttributeDomains {
    /// The domains of a String by its rules and its name.
    var texts: [ValueDomain] {
        guard hints.minimumLength <= Self.longestText else { return [] }
        // Each expression has tables of some megabytes.
        let patterns = hints.patterns.prefix(4).flatMap { words($0.source, ignoresCase: $0.ignoresCase) }
        guard !hints.patterns.isEmpty else { return texts(names.textKind) }
        // A believable text can match, such as an address the expression of an address.
        let source = TextSource(names.textKind, lists)
        let believable = ValueDomain(size: source.size) { .string(source.text(at: $0)) }
        let matching = believable.accepted(by: attribute.validator, stream, samples: 0)
        return (matching?.size == believable.size ? [believable] : []) + patterns
    }

    /// The texts of a kind, first as they are, then with numbers, then texts of letters that only keep the lengths.
    func texts(_ kind: TextKind) -> [ValueDomain] {
        guard let lengths = hints.lengths, lengths.lowerBound <= Self.longestText else { return [] }
        let source = TextSource(kind, lists)
        var sources = [source]
        if TextSource.canBeNumbered(kind) { sources.append(source.numbered) }
        let wrap = Affixes(hints)
        var result = sources.map { source in
            ValueDomain(size: source.size) { .string(wrap.wrapped(source.text(at: $0))) }
        }
        if specification == nil {
            result.append(contentsOf: shortened(source, lengths, wrap))
            result.append(contentsOf: letters(lengths, wrap))
        }
        return result
    }

    /// Believable texts cut to the maximum length. They need not be different.
    private func shortened(_ source: TextSource, _ lengths: ClosedRange<Int>, _ wrap: Affixes) -> [ValueDomain] {
        let room = lengths.upperBound - min(wrap.length, lengths.upperBound)
        guard room > 0, lengths.upperBound < Self.longestText else { return [] }
        return [
            ValueDomain(size: source.size, isInjective: false) { index in
                var text = String.UnicodeScalarView(source.text(at: index).unicodeScalars.prefix(room))
                while text.last == " " { text.removeLast() }
                return .string(wrap.wrapped(String(text)))
            }
        ]
    }

    /// Texts of words with some lengths. They need not be different.
    func sized(_ lengths: ClosedRange<Int>) -> ValueDomain {
        let texts = SizedTexts(lists)
        let draws: UInt64 = 1 << 40
        return ValueDomain(size: UInt64(lengths.count) * draws, isInjective: false) { index in
            .string(texts.text(length: lengths.lowerBound + Int(index / draws), index % draws))
        }
    }

    /// Texts of letters and digits: first of one length, then of all lengths up to some characters.
    private func letters(_ lengths: ClosedRange<Int>, _ wrap: Affixes) -> [ValueDomain] {
        let least = max(0, lengths.lowerBound - wrap.length)
        let (most, overflow) = lengths.upperBound.subtractingReportingOverflow(wrap.length)
        guard !overflow, most >= 0 else { return [] }
        if most == 0 { return [ValueDomain([.string(wrap.wrapped(""))])] }
        let usual = min(max(8, least), most)
        let shortest = max(1, least)
        let longest = min(most, max(shortest, 12))
        return [LetterTexts(lengths: usual...usual), LetterTexts(lengths: shortest...longest)].map { letters in
            ValueDomain(size: letters.count) { .string(wrap.wrapped(letters.text(at: $0))) }
        }
    }

    /// The texts that match a regular expression: with letters and digits where possible, then with all printable
    /// characters.
    func words(_ source: String, ignoresCase: Bool) -> [ValueDomain] {
        guard let lengths = hints.lengths, let pattern = try? Pattern(source, ignoringCase: ignoresCase) else {
            return []
        }
        return [false, true].compactMap { isWide in
            PatternWords(pattern, lengths: lengths, isWide: isWide).map { words in
                ValueDomain(size: words.count) { .string(words.word(at: $0)) }
            }
        }
    }
}

/// The beginnings, ends and contents that validation predicates require.
private struct Affixes: Sendable {
    private let prefix: String
    private let suffix: String

    init(_ hints: RuleHints) {
        prefix = hints.prefix
        suffix = hints.infix + hints.suffix
    }

    /// The length of the added texts in UTF-16 units.
    var length: Int { prefix.utf16.count + suffix.utf16.count }

    func wrapped(_ text: String) -> String { prefix + text + suffix }
}

/// The texts of lower-case letters and digits with some lengths, in ascending order of length.
private struct LetterTexts: Sendable {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// 36^12 is more than 2^62: longer texts begin with a filler.
    private static let digits = 12

    let lengths: ClosedRange<Int>
    /// The number of texts, at most 2^62.
    let count: UInt64

    init(lengths: ClosedRange<Int>) {
        self.lengths = lengths
        count = lengths.reduce(0) { min(ValueDomain.sizeLimit, $0 + Self.count(length: $1)) }
    }

    private static func count(length: Int) -> UInt64 {
        var result: UInt64 = 1
        for _ in 0..<min(length, digits) {
            let (product, overflow) = result.multipliedReportingOverflow(by: UInt64(alphabet.count))
            if overflow || product >= ValueDomain.sizeLimit { return ValueDomain.sizeLimit }
            result = product
        }
        return result
    }

    func text(at index: UInt64) -> String {
        var rest = index
        var length = lengths.lowerBound
        while length < lengths.upperBound, rest >= Self.count(length: length) {
            rest -= Self.count(length: length)
            length += 1
        }
        var bytes: [UInt8] = []
        for _ in 0..<min(length, Self.digits) {
            bytes.append(Self.alphabet[Int(rest % UInt64(Self.alphabet.count))])
            rest /= UInt64(Self.alphabet.count)
        }
        let filler = Array("lorem ipsum dolor sit amet ".utf8)
        while bytes.count < length { bytes.append(filler[bytes.count % filler.count]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
