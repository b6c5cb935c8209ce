/// Texts of a language's words with a given length.
struct SizedTexts: Sendable {
    private let words: [String]
    private let separator: String

    init(_ lists: WordLists) {
        words = lists.words
        separator = lists.writing.wordSeparator
    }

    /// A text of words, the last of which is cut.
    ///
    /// - Parameters:
    ///   - length: in UTF-16 units.
    ///   - number: chooses the words.
    func text(length: Int, _ number: UInt64) -> String {
        guard !words.isEmpty else { return "" }
        var units: [UInt16] = []
        var rest = RandomStream.mixed(number &+ 1)
        while units.count < length {
            if !units.isEmpty { units.append(contentsOf: separator.utf16) }
            units.append(contentsOf: words[Int(rest % UInt64(words.count))].utf16)
            rest = RandomStream.mixed(rest &+ 1)
        }
        // The words have no characters of two units.
        units.removeLast(units.count - length)
        // A space at the end would be cut by forms.
        if units.last == 0x20 { units[units.count - 1] = 0x78 }
        return String(decoding: units, as: UTF16.self)
    }
}
