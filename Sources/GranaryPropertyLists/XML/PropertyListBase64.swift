/// Base64 (RFC 4648, the standard alphabet) as property lists use it: white space anywhere, padding needed.
enum PropertyListBase64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }()

    /// - Returns: nil for any other character, wrong padding, or bits that no byte would have given.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        let values = values
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text {
            if XMLScalarText.isSpace(byte) { continue }
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let value = values[Int(byte)]
            guard value != 0xFF, padding == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count == 4 {
                output.append(UInt8(truncatingIfNeeded: bits >> 16))
                output.append(UInt8(truncatingIfNeeded: bits >> 8))
                output.append(UInt8(truncatingIfNeeded: bits))
                bits = 0
                count = 0
            }
        }
        switch (count, padding) {
        case (0, 0): break
        case (2, 2):
            guard bits & 0xF == 0 else { return nil }
            output.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1):
            guard bits & 0x3 == 0 else { return nil }
            output.append(UInt8(truncatingIfNeeded: bits >> 10))
            output.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return output
    }

    static func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let alphabet = alphabet
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let count = min(3, bytes.endIndex - index)
            var bits = UInt32(bytes[index]) << 16
            if count > 1 { bits |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { bits |= UInt32(bytes[index + 2]) }
            for place in 0..<4 {
                output.append(place <= count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3F)] : UInt8(ascii: "="))
            }
            index += count
        }
    }
}
