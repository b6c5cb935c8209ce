import GranaryGeneration

/// Replaces the words of a text by words of Granary's lists, with the same number of words and the same capitals. An
/// e-mail address becomes an address with a domain for examples.
///
/// Different texts can get the same replacement.
struct WordReplacement: Sendable {
    /// A word of a list.
    private struct Word {
        let lowercase: [Unicode.Scalar]
        let capitalized: [Unicode.Scalar]
        /// In lower case, in UTF-8.
        let key: [UInt8]

        init(_ text: String) {
            lowercase = Array(text.lowercased().unicodeScalars)
            capitalized = Array((text.prefix(1).uppercased() + text.dropFirst().lowercased()).unicodeScalars)
            key = Array(text.lowercased().utf8)
        }
    }

    private let cipher: SequenceCipher
    private let wordNames: RandomStreamNames
    private let domainNames: RandomStreamNames
    /// The words for the first word of a text, and those for the others.
    private let words: (first: [Word], next: [Word])
    private let addressWords: (first: [Word], next: [Word])

    init(_ kind: TextKind, seed: UInt64, name: String) {
        let lists = WordLists.of(.english)
        let lastNames = lists.lastNames.filter(Self.isWord)
        let firstNames = lists.firstNames.filter(Self.isWord)
        addressWords = (firstNames.map { Word(TextSource.ascii($0)) }, lastNames.map { Word(TextSource.ascii($0)) })
        switch kind {
        case .name, .username: words = (firstNames.map(Word.init), lastNames.map(Word.init))
        case .firstName: words = Self.twice(firstNames)
        case .lastName, .company: words = Self.twice(lastNames)
        case .city: words = Self.twice(lists.cities)
        case .country: words = Self.twice(lists.countries)
        case .color: words = Self.twice(lists.colors)
        default: words = Self.twice(lists.words)
        }
        cipher = SequenceCipher(seed: seed, name: name)
        let names = RandomStreamNames(seed: seed).adding(name)
        wordNames = names.adding("word")
        domainNames = names.adding("domain")
    }

    private static func isWord(_ text: String) -> Bool { !text.contains(" ") }

    private static func twice(_ list: [String]) -> (first: [Word], next: [Word]) {
        let list = list.filter(isWord).map(Word.init)
        return (list, list)
    }

    private static let domains = ["example.com", "example.org", "example.net"].map { Array($0.unicodeScalars) }

    /// Nil for a text that is no e-mail address and has no words in lower case, such as a code.
    func replacement(of text: [Unicode.Scalar], _ table: inout Alphabets) -> [Unicode.Scalar]? {
        if let at = Self.addressSign(in: text) {
            let stream = domainNames.adding(TextScalars.lowercased(text[(at + 1)...])).stream
            let local = text[..<at]
            let words = replaced(local, isAddress: true, &table) ?? scrambled(local, &table)
            return words + ["@"] + Self.domains[Int(stream.number(0, below: UInt64(Self.domains.count)))]
        }
        guard !Self.hasScheme(text) else { return nil }
        return replaced(text[...], isAddress: false, &table)
    }

    /// Whether the text contains `://`.
    private static func hasScheme(_ text: [Unicode.Scalar]) -> Bool {
        text.indices.contains { place in
            text[place] == ":" && place + 2 < text.count && text[place + 1] == "/" && text[place + 2] == "/"
        }
    }

    /// The place of the sign in an e-mail address; nil for other texts.
    private static func addressSign(in text: [Unicode.Scalar]) -> Int? {
        guard let at = text.firstIndex(of: "@"), at > 0, !text.contains(where: isSpace) else { return nil }
        let domain = text[(at + 1)...]
        guard !domain.contains("@"), let point = domain.lastIndex(of: "."), point > at + 1, point + 1 < text.count
        else {
            return nil
        }
        return at
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\u{9}"..."\u{D}").contains(scalar) : scalar.properties.isWhitespace
    }

    /// - Parameter isAddress: whether words must be in ASCII.
    /// - Returns: nil without a word of at least two letters, one of them in lower case.
    private func replaced(
        _ text: ArraySlice<Unicode.Scalar>, isAddress: Bool, _ table: inout Alphabets
    ) -> [Unicode.Scalar]? {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(text.count + 16)
        var place = 0
        var rest = text
        while let first = rest.first {
            guard Self.isInWord(first) else {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            let word = rest.prefix(while: Self.isInWord)
            rest = rest[word.endIndex...]
            if let chosen = other(word, place: place, isAddress: isAddress) {
                result.append(contentsOf: chosen)
                place += 1
            } else {
                result.append(contentsOf: scrambled(word, &table))
            }
        }
        return place > 0 ? result : nil
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": return true
        case _ where scalar.isASCII: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .decimalNumber:
            return true
        default: return false
        }
    }

    /// A word from a list; nil for a code, a number, an initial, and a word without lower case.
    private func other(_ word: ArraySlice<Unicode.Scalar>, place: Int, isAddress: Bool) -> [Unicode.Scalar]? {
        guard word.count > 1, word.contains(where: Self.isLowercase), !word.contains(where: Self.isDigit) else {
            return nil
        }
        let lists = isAddress ? addressWords : words
        let list = place == 0 ? lists.first : lists.next
        guard !list.isEmpty, let first = word.first else { return nil }
        let key = TextScalars.lowercased(word)
        var index = Int(wordNames.adding(key).stream.number(0, below: UInt64(list.count)))
        if list[index].key == key { index = (index + 1) % list.count }
        return Self.isUppercase(first) ? list[index].capitalized : list[index].lowercase
    }

    private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("a"..."z").contains(scalar) : scalar.properties.isLowercase
    }

    private static func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("0"..."9").contains(scalar) : scalar.properties.generalCategory == .decimalNumber
    }

    private func scrambled(_ text: ArraySlice<Unicode.Scalar>, _ table: inout Alphabets) -> [Unicode.Scalar] {
        var shaped = ShapedText(Array(text), &table)
        shaped.scramble(cipher, table)
        return shaped.scalars
    }
}
