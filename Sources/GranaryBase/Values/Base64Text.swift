/// Binary data as Base64 (RFC 4648 section 4): with padding, without line breaks, unused bits zero.
///
/// Parsing is strict, so that each value has exactly one text.
package enum Base64Text {
    /// Appends the decoded bytes. Appends nothing if it throws.
    package static func decode(
        _ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
    ) throws(ValueTextError) {
        guard text.count & 3 == 0 else { throw .syntax("a length that is not a multiple of four") }
        guard let last = text.last else { return }
        let padding = last != equals ? 0 : text[text.count - 2] != equals ? 1 : 2
        // Only the last four characters can have padding; they are decoded separately.
        let end = text.count - 4
        let start = output.count
        output.reserveCapacity(start + text.count / 4 * 3)
        let isSound = values.withUnsafeBufferPointer { values in
            var faults: UInt8 = 0
            var index = 0
            while index < end {
                let a = values[Int(text[index])], b = values[Int(text[index &+ 1])]
                let c = values[Int(text[index &+ 2])], d = values[Int(text[index &+ 3])]
                faults |= a | b | c | d
                output.append(a << 2 | b >> 4)
                output.append(b << 4 | c >> 2)
                output.append(c << 6 | d)
                index &+= 4
            }
            let a = values[Int(text[end])], b = values[Int(text[end + 1])]
            let c = padding == 2 ? 0 : values[Int(text[end + 2])]
            let d = padding > 0 ? 0 : values[Int(text[end + 3])]
            faults |= a | b | c | d
            output.append(a << 2 | b >> 4)
            if padding < 2 { output.append(b << 4 | c >> 2) }
            if padding < 1 { output.append(c << 6 | d) }
            let leftOver = padding == 2 ? b & 0x0F : padding == 1 ? c & 0x03 : 0
            return faults & 0xC0 == 0 && leftOver == 0
        }
        guard isSound else {
            output.removeSubrange(start...)
            throw .syntax(reason(text))
        }
    }

    package static func encode(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        var start = 0
        while start < bytes.count {
            let end = min(start + piece, bytes.count)
            let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
            output.append(atMost: (part.count + 2) / 3 * 4) { encode(part, at: $0) }
            start = end
        }
    }

    /// The number of bytes that are encoded at once: a multiple of three, so that only the last piece has padding.
    private static let piece = 3 << 10

    /// Writes the characters and returns their number.
    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, at place: UnsafeMutablePointer<UInt8>) -> Int {
        alphabet.withUnsafeBufferPointer { alphabet in
            var index = 0
            var count = 0
            let end = bytes.count - bytes.count % 3
            while index < end {
                let group =
                    UInt32(bytes[index]) << 16 | UInt32(bytes[index &+ 1]) << 8 | UInt32(bytes[index &+ 2])
                place[count] = alphabet[Int(group >> 18)]
                place[count &+ 1] = alphabet[Int(group >> 12 & 0x3F)]
                place[count &+ 2] = alphabet[Int(group >> 6 & 0x3F)]
                place[count &+ 3] = alphabet[Int(group & 0x3F)]
                index &+= 3
                count &+= 4
            }
            guard end < bytes.count else { return count }
            let a = bytes[end]
            let b = end + 1 < bytes.count ? bytes[end + 1] : 0
            place[count] = alphabet[Int(a >> 2)]
            place[count &+ 1] = alphabet[Int((a << 4 | b >> 4) & 0x3F)]
            place[count &+ 2] = end + 1 < bytes.count ? alphabet[Int(b << 2 & 0x3F)] : equals
            place[count &+ 3] = equals
            return count &+ 4
        }
    }

    private static func reason(_ text: UnsafeBufferPointer<UInt8>) -> String {
        for (index, byte) in text.enumerated() where values[Int(byte)] == 0xFF {
            if byte != equals { return "not a Base64 character" }
            if index < text.count - 2 { return "padding before the end" }
        }
        return "unused bits that are not zero"
    }

    private static let equals = UInt8(ascii: "=")

    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character; 0xFF for bytes outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()
}
