/// Text on a terminal, where some characters take two columns.
enum ColumnText {
    /// How many columns `text` takes.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The start of `text` in at most `columns`, marked where something is cut off.
    static func cut(_ text: String, to columns: Int) -> String {
        if width(text) <= columns { return text }
        var result = ""
        var left = columns - 1
        for character in text {
            left -= width(character)
            if left < 0 { break }
            result.append(character)
        }
        return columns > 0 ? result + "…" : ""
    }

    /// The end of `text` in at most `columns`, marked where something is cut off.
    static func cutStart(_ text: String, to columns: Int) -> String {
        if width(text) <= columns { return text }
        var kept: [Character] = []
        var left = columns - 1
        for character in text.reversed() {
            left -= width(character)
            if left < 0 { break }
            kept.append(character)
        }
        return columns > 0 ? "…" + String(kept.reversed()) : ""
    }

    // Unicode Standard Annex 11: the wide blocks that names of files have.
    private static func width(_ character: Character) -> Int {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
