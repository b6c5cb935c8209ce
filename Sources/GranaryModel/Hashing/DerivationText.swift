/// The text of a derivation expression as `NSExpression` prints it, which version hashes contain.
enum DerivationText {
    /// `pages.@count` is `count:(pages)`; a plain key path stays as it is. Other forms are unsettled by any known
    /// vector; they stay as they are too, but for blanks that the printed form cannot have.
    static func predicateFormat(_ expression: String) -> String {
        let expression = withoutBlanks(expression)
        let path = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard path.count > 1, path.last == "@count" else { return expression }
        return "count:(" + path.dropLast().joined(separator: ".") + ")"
    }

    /// Without blanks at the ends and beside the brackets of a function of one argument: `canonical: ( title )` is
    /// printed as `canonical:(title)`.
    private static func withoutBlanks(_ text: String) -> String {
        // Blanks in a literal are a part of it, and those around operators are printed.
        let meanMore = text.utf8.contains { byte in
            !(isNameByte(byte) || byte == UInt8(ascii: " ")) && !":@.()".utf8.contains(byte)
        }
        guard text.utf8.contains(UInt8(ascii: " ")), !meanMore else { return text }
        // Two names with only a blank between them would become one; such a text is no expression.
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
