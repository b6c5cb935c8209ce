/// Names of characters that are hard to tell apart, for messages.
package enum CharacterName {
    /// Spaces and apostrophes that separate groups of digits in some locales.
    private static let names: [Unicode.Scalar: String] = [
        " ": "a space", "\u{A0}": "a no-break space", "\u{2007}": "a figure space", "\u{2009}": "a thin space",
        "\u{202F}": "a narrow no-break space", "'": "an apostrophe", "\u{2019}": "a typographic apostrophe",
    ]

    /// The first character from outside ASCII with a name, such as a no-break space.
    package static func firstLookalike(in text: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
        guard text.contains(where: { $0 >= 0x80 }) else { return nil }
        return String(decoding: text, as: UTF8.self).unicodeScalars.first { $0.value >= 0x80 && names[$0] != nil }
    }

    /// `U+00A0`.
    package static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// `U+00A0, a no-break space`; `","` for a visible character of ASCII.
    package static func phrase(_ scalar: Unicode.Scalar) -> String {
        if let name = names[scalar], scalar != "'" { return "\(code(scalar)), \(name)" }
        return (0x21...0x7E).contains(scalar.value) ? "\"\(scalar)\"" : code(scalar)
    }
}
