/// The IP literal of a URI's host, in brackets (RFC 3986 section 3.2.2): an IPv6 address, or a future form
/// `v1.something`.
enum IPLiteral {
    static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        return first | 0x20 == UInt8(ascii: "v") ? isFuture(text) : isIPv6(text)
    }

    /// Eight groups of one to four digits; one `::` for one group or more; the last two may be an IPv4 address.
    private static func isIPv6(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var groups = 0
        var hasGap = false
        var index = 0
        if text.count >= 2, text[0] == ASCII.colon, text[1] == ASCII.colon {
            hasGap = true
            index = 2
        }
        while index < text.count {
            let start = index
            while index < text.count, ASCII.hexValue(text[index]) < 16 { index += 1 }
            if index < text.count, text[index] == ASCII.point {
                guard isIPv4(text, from: start) else { return false }
                groups += 2
                break
            }
            guard index > start, index - start <= 4 else { return false }
            groups += 1
            guard index < text.count else { break }
            guard text[index] == ASCII.colon else { return false }
            index += 1
            // After a colon comes a group or, once, a second colon.
            guard index < text.count else { return false }
            if text[index] == ASCII.colon {
                guard !hasGap else { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    /// Four numbers up to 255 without leading zeros, to the end of the text.
    private static func isIPv4(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        var numbers = 0
        var index = start
        while index < text.count {
            let first = index
            var value = 0
            while index < text.count, ASCII.isDigit(text[index]), index - first < 4 {
                value = value * 10 + Int(text[index] &- ASCII.zero)
                index += 1
            }
            guard index > first, value <= 255, index - first == 1 || text[first] != ASCII.zero else { return false }
            numbers += 1
            if index == text.count { break }
            guard text[index] == ASCII.point, index + 1 < text.count else { return false }
            index += 1
        }
        return numbers == 4
    }

    private static func isFuture(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 1
        while index < text.count, ASCII.hexValue(text[index]) < 16 { index += 1 }
        guard index > 1, index < text.count - 1, text[index] == ASCII.point else { return false }
        return text[(index + 1)...].allSatisfy { URIText.isPathCharacter($0) && $0 != UInt8(ascii: "@") }
    }
}
