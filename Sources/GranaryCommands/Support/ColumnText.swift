import GranaryBase

/// The width of text on a terminal, where some characters take two columns.
enum ColumnText {
    /// The number of columns that `text` takes.
    static func width(_ text: String) -> Int { TextWidth.columns(of: text) }

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
                left -= TextWidth.columns(of: character)
                return left >= 0
            })
    }
}
