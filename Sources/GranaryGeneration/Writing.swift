/// How a language joins names and words.
struct Writing: Sendable {
    /// Whether the family name stands before the given name.
    let familyNameFirst: Bool
    /// What separates the two names of a person. Without a separator, family names have one character.
    let nameSeparator: String
    /// What separates words.
    let wordSeparator: String
    /// The end of a sentence.
    let fullStop: String

    static let alphabet = Writing(familyNameFirst: false, nameSeparator: " ", wordSeparator: " ", fullStop: ".")
    static let japanese = Writing(familyNameFirst: true, nameSeparator: " ", wordSeparator: "", fullStop: "。")
    static let chinese = Writing(familyNameFirst: true, nameSeparator: "", wordSeparator: "", fullStop: "。")

    /// The whole name of a person.
    func wholeName(first: String, last: String) -> String {
        familyNameFirst ? last + nameSeparator + first : first + nameSeparator + last
    }

    /// The whole name of a person, in UTF-8.
    func wholeName(first: ArraySlice<UInt8>, last: ArraySlice<UInt8>) -> [UInt8] {
        let parts = familyNameFirst ? [last, first] : [first, last]
        return Array(parts.joined(separator: Array(nameSeparator.utf8)))
    }

    /// The parts of a whole name in UTF-8; nil if it has only one.
    func parts(of name: ArraySlice<UInt8>) -> (first: ArraySlice<UInt8>, last: ArraySlice<UInt8>)? {
        let before: ArraySlice<UInt8>
        let after: ArraySlice<UInt8>
        if nameSeparator.isEmpty {
            // Bytes 10xxxxxx continue a character.
            let end = name.dropFirst().firstIndex { $0 & 0xC0 != 0x80 } ?? name.endIndex
            (before, after) = (name[..<end], name[end...])
        } else {
            guard let space = name.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            (before, after) = (name[..<space], name[(space + 1)...])
        }
        guard !before.isEmpty, !after.isEmpty else { return nil }
        return familyNameFirst ? (first: after, last: before) : (first: before, last: after)
    }
}
