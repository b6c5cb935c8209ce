/// The characters that XML 1.0 (fifth edition) allows.
enum XMLCharacters {
    /// Whether a document can contain the character (production 2).
    static func isAllowed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Whether a name can begin with the character (production 4).
    static func isNameStart(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3A, 0x5F, 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
            0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// Whether a name can contain the character (production 4a).
    static func isName(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: isNameStart(scalar)
        }
    }

    /// The end of the name that begins at an index; the index itself if there is no name.
    ///
    /// - Parameter bytes: valid UTF-8 up to `end`.
    static func nameEnd(in bytes: [UInt8], from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            let (scalar, length) = scalar(in: bytes, at: index, to: end)
            guard index == start ? isNameStart(scalar) : isName(scalar) else { break }
            index += length
        }
        return index
    }

    /// Whether no document can contain the byte at an index of valid UTF-8, or the sequence that begins there: a
    /// control character, U+FFFE or U+FFFF.
    @inline(__always)
    static func isForbidden(in bytes: [UInt8], at index: Int) -> Bool {
        let byte = bytes[index]
        if byte < 0x20 { return !XMLScalarText.isSpace(byte) }
        // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
        return byte == 0xEF && index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
    }

    /// The character at an index of valid UTF-8, and the number of its bytes.
    private static func scalar(in bytes: [UInt8], at index: Int, to end: Int) -> (scalar: UInt32, length: Int) {
        let first = bytes[index]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        // A sequence of `length` bytes has 7 - `length` bits in its first byte.
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for byte in bytes[index..<min(index + length, end)].dropFirst() { scalar = scalar << 6 | UInt32(byte & 0x3F) }
        return (scalar, min(length, end - index))
    }
}
