extension UTF8Text {
    /// Appends a character. `scalar` is one: below U+110000 and no surrogate.
    @inline(__always)
    static func append(_ scalar: UInt32, to output: inout [UInt8]) {
        func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
        switch scalar {
        case ..<0x80: output.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            output.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            output.append(continuation(0))
        case ..<0x10000:
            output.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            output.append(continuation(6))
            output.append(continuation(0))
        default:
            output.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18) & 0x07)
            output.append(continuation(12))
            output.append(continuation(6))
            output.append(continuation(0))
        }
    }

    /// The character that begins at `index`, and how many bytes it has; nil where the bytes are none.
    static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt32, length: Int)? {
        let first = text[index]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = sequenceLength(text, at: index)
        guard length > 0 else { return nil }
        // Of the first byte, what is left behind the ones that tell the length.
        var value = UInt32(first & (0x7F >> length))
        for byte in text[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
        return (value, length)
    }

    /// Whether bytes that are not well formed may become so: they are the beginning of one sequence and nothing else.
    package static func isCutOff(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, text.count < 4 else { return false }
        // Continued with bytes that fit: E0 and F0 need a second one from the upper part, ED and F4 from the lower.
        var continued = [UInt8](text)
        continued.append(first == 0xE0 || first == 0xF0 ? 0xBF : 0x80)
        while continued.count < 4 { continued.append(0x80) }
        return continued.withUnsafeBufferPointer { sequenceLength($0, at: 0) } > text.count
    }
}
