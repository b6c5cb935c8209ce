/// Derivation expressions as printed by `NSExpression`, which version hashes contain.
enum DerivationText {
    /// Converts `pages.@count` to `count:(pages)`; a plain key path is unchanged. Other forms are not confirmed by
    /// known vectors and are also unchanged, except for blanks that the printed form cannot contain.
    static func predicateFormat(_ expression: String) -> String {
        let expression = withoutBlanks(expression)
        let path = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard path.count > 1, path.last == "@count" else { return expression }
        return "count:(" + path.dropLast().joined(separator: ".") + ")"
    }

    /// Removes blanks at the ends and around the parentheses of a function of one argument: `canonical: ( title )` is
    /// printed as `canonical:(title)`.
    private static func withoutBlanks(_ text: String) -> String {
        // Blanks in literals and around operators are significant.
        let meanMore = text.utf8.contains { byte in
            !(isNameByte(byte) || byte == UInt8(ascii: " ")) && !":@.()".utf8.contains(byte)
        }
        guard text.utf8.contains(UInt8(ascii: " ")), !meanMore else { return text }
        // Two names separated only by a blank would become one name; such a text is not an expression.
        let words = text.split(separator: " ")
        for (left, right) in zip(words, words.dropFirst()) {
            guard let end = left.utf8.last, let start = right.utf8.first, isNameByte(end), isNameByte(start) else {
                continue
            }
            return text
        }
        return words.joined()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte & 0xDF)
    }
}
