import GranaryBase

/// Writes text as JSON strings.
package enum JSONText {
    /// Appends a string in quotes with only the escapes that RFC 8259 requires. `text` is valid UTF-8.
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
                appendEscape(byte, to: &output)
                start = index + 1
            }
            index += 1
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        output.append(UInt8(ascii: "\""))
    }

    package static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &output) }
    }

    /// Appends a string as ``append(_:to:)-(UnsafeBufferPointer<UInt8>,_)`` does.
    @inline(__always)
    static func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout ByteBuffer) {
        // Most texts need no escapes. They are copied while they are searched.
        if !output.append(jsonString: text) { appendEscaped(text, to: &output) }
    }

    @inline(never)
    private static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to output: inout ByteBuffer) {
        var escaped: [UInt8] = []
        append(text, to: &escaped)
        output.append(contentsOf: escaped)
    }

    private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
        let letter: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        output.append(UInt8(ascii: "\\"))
        if let letter {
            output.append(letter)
        } else {
            output.append(contentsOf: "u00".utf8)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { single in
                single[0] = byte
                HexText.encode(UnsafeBufferPointer(single), into: &output)
            }
        }
    }
}
