import GranaryGeneration
/// Replaces the words of a text by words of Granary's lists, with the same number of words and the same capitals. An
/// e-mail address becomes an address with a domain for examples.
///
/// Different texts can get the same replacement.
struct WordReplacement: Sendable {
    private let seed: UInt64
    private let name: String
    /// The words for the first word of a text, and those for the others.
    private let words: (first: [String], next: [String])
    private let addressWords: (first: [String], next: [String])

    init(_ kind: TextKind, seed: UInt64, name: String) {
        let lists = WordLists.of(.english)
        let lastNames = lists.lastNames.filter(Self.isWord)
        let firstNames = lists.firstNames.filter(Self.isWord)
        addressWords = (firstNames.map(TextSource.ascii), lastNames.map(TextSource.ascii))
        switch kind {
        case .name, .username: words = (firstNames, lastNames)
        case .firstName: words = (firstNames, firstNames)
        case .lastName, .company: words = (lastNames, lastNames)
        case .city: words = Self.twice(lists.cities)
        case .country: words = Self.twice(lists.countries)
        case .color: words = Self.twice(lists.colors)
        default: words = Self.twice(lists.words)
        }
        self.seed = seed
        self.name = name
    }

    private static func isWord(_ text: String) -> Bool { !text.contains(" ") }

    private static func twice(_ list: [String]) -> (first: [String], next: [String]) {
        let list = list.filter(isWord)
        return (list, list)
    }

    private static let domains = ["example.com", "example.org", "example.net"]

    /// Nil for a text that is no e-mail address and has no words in lower case, such as a code.
    func replacement(of text: String, _ table: inout Alphabets) -> String? {
        if let at = Self.addressSign(in: text) {
            let domain = stream(["domain", String(text[text.index(after: at)...]).lowercased()])
            let local = String(text[..<at])
            let words = replaced(local, isAddress: true, &table) ?? scrambled(local, &table)
            return words + "@" + Self.domains[Int(domain.number(0, below: UInt64(Self.domains.count)))]
        }
        guard !text.contains("://") else { return nil }
        return replaced(text, isAddress: false, &table)
    }

    /// The place of the sign in an e-mail address; nil for other texts.
    private static func addressSign(in text: String) -> String.Index? {
        guard let at = text.firstIndex(of: "@"), at > text.startIndex, !text.contains(where: \.isWhitespace) else {
            return nil
        }
        let domain = text[text.index(after: at)...]
        guard !domain.contains("@"), let point = domain.lastIndex(of: "."), point > domain.startIndex,
            domain.index(after: point) < domain.endIndex
        else { return nil }
        return at
    }

    /// - Parameter isAddress: whether words must be in ASCII.
    /// - Returns: nil without a word of at least two letters, one of them in lower case.
    private func replaced(_ text: String, isAddress: Bool, _ table: inout Alphabets) -> String? {
        var result = String.UnicodeScalarView()
        var run = String.UnicodeScalarView()
        var place = 0
        func end() {
            guard !run.isEmpty else { return }
            let word = String(run)
            if let chosen = other(word, place: place, isAddress: isAddress) {
                result.append(contentsOf: chosen.unicodeScalars)
                place += 1
            } else {
                result.append(contentsOf: scrambled(word, &table).unicodeScalars)
            }
            run = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if Self.isInWord(scalar) {
                run.append(scalar)
            } else {
                end()
                result.append(scalar)
            }
        }
        end()
        return place > 0 ? String(result) : nil
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .decimalNumber:
            true
        default: false
        }
    }

    /// A word from a list; nil for a code, a number, an initial, and a word without lower case.
    private func other(_ word: String, place: Int, isAddress: Bool) -> String? {
        let scalars = word.unicodeScalars
        guard scalars.count > 1, scalars.contains(where: \.properties.isLowercase),
            !scalars.contains(where: { $0.properties.generalCategory == .decimalNumber })
        else { return nil }
        let lists = isAddress ? addressWords : words
        let list = place == 0 ? lists.first : lists.next
        guard !list.isEmpty else { return nil }
        let key = word.lowercased()
        var index = Int(stream(["word", key]).number(0, below: UInt64(list.count)))
        if list[index].lowercased() == key { index = (index + 1) % list.count }
        let chosen = list[index]
        guard let first = scalars.first, first.properties.isUppercase else { return chosen.lowercased() }
        return chosen.prefix(1).uppercased() + chosen.dropFirst().lowercased()
    }

    private func scrambled(_ text: String, _ table: inout Alphabets) -> String {
        var shaped = ShapedText(text, &table)
        shaped.scramble(SequenceCipher(seed: seed, name: name), table)
        return shaped.text
    }

    private func stream(_ names: [String]) -> RandomStream { RandomStream(seed: seed, [name] + names) }
}
