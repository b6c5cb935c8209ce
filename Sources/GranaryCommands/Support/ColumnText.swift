/// The width of text on a terminal, where some characters take two columns.
enum ColumnText {
    /// The number of columns that `text` takes.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The start of `text` in at most `columns`, with `…` if it is cut.
    static func cut(_ text: String, to columns: Int) -> String {
        if width(text) <= columns { return text }
        return columns > 0 ? fitting(text, in: columns - 1) + "…" : ""
    }

    /// The end of `text` in at most `columns`, with `…` if it is cut.
    static func cutStart(_ text: String, to columns: Int) -> String {
        if width(text) <= columns { return text }
        return columns > 0 ? "…" + String(fitting(text.reversed(), in: columns - 1).reversed()) : ""
    }

    private static func fitting(_ characters: some Sequence<Character>, in columns: Int) -> String {
        var left = columns
        return String(
            characters.prefix { character in
                left -= width(character)
                return left >= 0
            })
    }

    // The wide blocks of Unicode Standard Annex 11 that occur in file names.
    private static func width(_ character: Character) -> Int {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
