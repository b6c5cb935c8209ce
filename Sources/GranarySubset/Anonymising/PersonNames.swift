import GranaryGeneration

/// The first and last names of all languages that Granary generates.
enum PersonNames {
    private static let lists = GenerationOptions.Locale.allCases.map(WordLists.of)
    private static let first = Set(lists.flatMap(\.firstNames))
    private static let last = Set(lists.flatMap(\.lastNames))

    /// Whether a text is a known name, or up to four words with capitals of which the first or last one is.
    static func contains(_ text: Substring) -> Bool {
        let words = text.split(separator: " ")
        guard (1...4).contains(words.count),
            words.allSatisfy({ $0.first?.isUppercase == true && !$0.contains(where: \.isNumber) })
        else { return false }
        if words.count == 1 { return first.contains(String(words[0])) || last.contains(String(words[0])) }
        return first.contains(String(words[0])) || words.last.map { last.contains(String($0)) } ?? false
    }
}
