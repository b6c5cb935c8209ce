import GranaryBase

/// References to characters (`&#233;`) and to the five predefined entities (`&amp;`).
extension XMLPullParser {
    /// Reads the reference at the window's index as text.
    mutating func readReference() throws(GranaryError) {
        var found: Int?
        while found == nil {
            let end = min(window.bytes.count, window.index + limits.referenceBytes)
            found = try referenceLength(at: window.index, to: end)
            guard found != nil || end - window.index < limits.referenceBytes else {
                throw limit("a reference has more than \(limits.referenceBytes) bytes, the limit")
            }
            if found == nil, try !window.refill() {
                throw malformed("a reference such as &amp; lacks its semicolon")
            }
        }
        let end = window.index + (found ?? 0)
        replacement.removeAll(keepingCapacity: true)
        replacement.append(contentsOf: try referenced(window.index..<end).utf8)
        textRange = window.index..<end
        window.index = end
    }

    /// The number of bytes from `&` to `;`; nil if `end` comes first.
    ///
    /// - Throws: ``GranaryError`` if another byte comes before the semicolon.
    func referenceLength(at start: Int, to end: Int) throws(GranaryError) -> Int? {
        for index in start + 1..<max(start + 1, end) {
            let byte = window.bytes[index]
            if byte == UInt8(ascii: ";") { return index + 1 - start }
            guard Self.isReference(byte) else {
                throw malformed(
                    index == start + 1
                        ? "a & without a reference; write &amp;" : "a reference such as &amp; lacks its semicolon",
                    at: start)
            }
        }
        return nil
    }

    /// Whether a reference can contain the byte between `&` and `;`.
    private static func isReference(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: "#-._:".utf8.contains(byte)
        }
    }

    /// The character that a reference from `&` to `;` stands for.
    func referenced(_ range: Range<Int>) throws(GranaryError) -> Unicode.Scalar {
        let body = window.bytes[range].dropFirst().dropLast()
        if body.first == UInt8(ascii: "#") {
            guard let number = Self.number(body.dropFirst()), XMLCharacters.isAllowed(number),
                let scalar = Unicode.Scalar(number)
            else {
                throw malformed("a reference to a character that XML does not allow", at: range.lowerBound)
            }
            return scalar
        }
        for (name, scalar) in Self.predefined where body.elementsEqual(name) { return scalar }
        throw malformed(
            "a reference to an unknown entity; only &amp; &lt; &gt; &quot; &apos; are known", at: range.lowerBound)
    }

    /// The number `123` or `x7B` of a character; nil if it is invalid or above U+10FFFF.
    private static func number(_ text: ArraySlice<UInt8>) -> UInt32? {
        let isHexadecimal = text.first == UInt8(ascii: "x")
        let digits = isHexadecimal ? text.dropFirst() : text
        guard !digits.isEmpty else { return nil }
        var number: UInt32 = 0
        for byte in digits {
            // 0xFF if the byte is not a digit.
            let digit = UInt32(ASCII.hexValue(byte))
            guard digit < (isHexadecimal ? 16 : 10) else { return nil }
            number = number * (isHexadecimal ? 16 : 10) + digit
            // This check comes before the next digit, so that the number cannot overflow.
            guard number <= 0x10FFFF else { return nil }
        }
        return number
    }

    private static let predefined: [([UInt8], Unicode.Scalar)] = [
        (Array("amp".utf8), "&"), (Array("lt".utf8), "<"), (Array("gt".utf8), ">"), (Array("quot".utf8), "\""),
        (Array("apos".utf8), "'"),
    ]
}
