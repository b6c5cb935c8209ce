/// The number of terminal columns that text takes, so that a mark can stand under a place in it.
package enum TextWidth {
    /// The columns of a text: those of its characters.
    package static func columns(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The columns of a character: 0 for a control character, 2 for a wide one such as `語` or an emoji, otherwise 1.
    ///
    /// A base character and its combining marks take the columns of the base, a sequence of emoji those of one.
    package static func columns(of character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // The emoji presentation selector makes a wide character of a narrow one.
            if scalar == "\u{FE0F}", width > 0 { return 2 }
            width = max(width, columns(of: scalar))
            if width == 2 { return 2 }
        }
        return width
    }

    /// The columns of a scalar: 0 for controls, combining marks and format characters, 2 for East Asian wide ones and
    /// emoji, otherwise 1.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x20 { return 0 }
        if value < 0x7F { return 1 }
        switch scalar.properties.generalCategory {
        case .control, .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // The vowels and final consonants of Hangul combine with the consonant before them.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    /// The blocks whose characters are wide or full width in Unicode's `EastAsianWidth.txt`.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        value >= 0x1100 && wideRanges.contains { $0.contains(value) }
    }
}
