/// How wide texts are, as far as that can be known without the font: for DejaVu Sans, which is wider than most.
enum TextWidth {
    /// The width in pixels of a text of this size.
    static func of(_ text: String, size: Double = 12) -> Double {
        text.unicodeScalars.reduce(0) { $0 + share(of: $1) } * size
    }

    /// The width of a character as a part of the size of the font.
    private static func share(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!", " ": 0.4
        case "f", "t", "r", "(", ")", "[", "]", "-": 0.45
        case "m", "w", "M", "W", "@", "%", "→": 1
        case "A"..."Z", "0"..."9": 0.72
        case "\u{1100}"..."\u{FFEF}", "\u{1F000}"..."\u{3FFFF}": 1.1
        default: 0.65
        }
    }

    /// The text, or its beginning and `…` if it has more characters.
    static func cut(_ text: String, to count: Int) -> String {
        text.count <= count ? text : text.prefix(max(0, count - 1)) + "…"
    }
}
