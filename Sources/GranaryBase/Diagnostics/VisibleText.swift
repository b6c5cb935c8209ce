/// Escapes text from files, models and the command line for messages, so that it stays on one line and cannot change
/// the terminal's state or writing direction.
package enum VisibleText {
    /// `text` with escapes for control characters (ESC, CR, LF, C1 ...), line separators and bidirectional formatting
    /// characters: `\n`, `\u{1B}`, `\u{202E}`. Unescaped, they could make a terminal show other text.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// As ``escaped(_:)``, but keeps line feeds.
    package static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(
            separator: "\n")
    }

    /// Bytes of a file name or an argument as text; bytes that are not valid UTF-8 become `\xFF`.
    package static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        var result = ""
        for byte in bytes {
            if (0x20..<0x7F).contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        // Bidirectional formatting characters (UAX #9) and the line and paragraph separators.
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            result += scalar.escaped(asASCII: true)
        case _ where scalar.properties.generalCategory == .control: result += scalar.escaped(asASCII: true)
        default: result.unicodeScalars.append(scalar)
        }
    }
}
