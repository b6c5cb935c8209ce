/// Escapes text from files, models and the command line for messages, so that it stays on one line and cannot change
/// the terminal's state or writing direction.
package enum VisibleText {
    /// `text` with escapes for invisible characters (``isInvisible(_:)``): `\n`, `\u{1B}`, `\u{202E}`, `\u{200B}`.
    /// Unescaped, they could make a terminal show other text, or two different texts look the same.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var result = ""
        var previous: Unicode.Scalar?
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            defer { previous = scalar }
            guard isInvisible(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let after = scalars.index(after: index)
            let next = after < scalars.endIndex ? scalars[after] : nil
            if joinsEmoji(scalar, after: previous, before: next) {
                result.unicodeScalars.append(scalar)
            } else {
                append(scalar, to: &result)
            }
        }
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

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default: result += scalar.escaped(asASCII: true)
        }
    }

    /// Whether a character is not shown, or changes how others are shown: control characters, line and paragraph
    /// separators, and what Unicode calls default-ignorable, such as zero-width characters, bidirectional formatting
    /// (UAX #9), variation selectors, tags and fillers.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.value {
        // Line and paragraph separator, interlinear annotations.
        case 0x2028...0x2029, 0xFFF9...0xFFFB: return true
        default:
            return scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .control
        }
    }

    /// Whether an invisible character is part of a visible emoji: a variation selector after it, or a joiner between
    /// two.
    private static func joinsEmoji(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Bool {
        // Digits are emoji only before an enclosing keycap.
        func isEmoji(_ other: Unicode.Scalar?) -> Bool {
            other.map { $0.properties.isEmoji && (!$0.isASCII || next == "\u{20E3}") } ?? false
        }
        switch scalar {
        case "\u{FE0E}", "\u{FE0F}": return isEmoji(previous)
        case "\u{200D}": return (isEmoji(previous) || previous == "\u{FE0F}") && isEmoji(next)
        default: return false
        }
    }
}
