/// URIs as text: checks the syntax of RFC 3986 (URI-reference). The text is not normalised.
///
/// An empty text is refused although the RFC allows it, because it cannot become a `URL`.
package enum URIText {
    package static func check(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) {
        guard !text.isEmpty else { throw .syntax("empty") }
        var index = try schemeEnd(text)
        if text.count &- index >= 2, text[index] == slash, text[index &+ 1] == slash {
            index = try authorityEnd(text, from: index &+ 2)
        }
        // Path, query and fragment allow the same characters, except `?` and `#`, which begin the next part.
        var part = Part.path
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "?") where part != .fragment: part = .query
            case UInt8(ascii: "?"): break
            case UInt8(ascii: "#") where part != .fragment: part = .fragment
            case UInt8(ascii: "%"): index = try escapeEnd(text, at: index) &- 1
            default:
                guard isPathCharacter(byte) || byte == slash else { throw fault(byte) }
            }
            index &+= 1
        }
    }

    private enum Part { case path, query, fragment }

    private static let slash = UInt8(ascii: "/")

    /// The index after the scheme's colon; 0 if there is no scheme.
    private static func schemeEnd(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Int {
        var index = 0
        scan: while index < text.count {
            switch text[index] {
            case ASCII.colon: break scan
            case slash, UInt8(ascii: "?"), UInt8(ascii: "#"): return 0
            default: index &+= 1
            }
        }
        guard index < text.count else { return 0 }
        // A colon before any slash ends a scheme; the first segment of a path cannot have a colon (section 4.2).
        guard index > 0, ASCII.isLetter(text[0]) else { throw .syntax("a scheme that does not begin with a letter") }
        for place in 1..<max(1, index) {
            let byte = text[place]
            guard
                ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == ASCII.minus
                    || byte == ASCII.point
            else { throw .syntax("a character that is not allowed in a scheme") }
        }
        return index &+ 1
    }

    /// Checks `userinfo@host:port`, and returns the index after it.
    private static func authorityEnd(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int
    ) throws(ValueTextError) -> Int {
        var end = start
        var at: Int?
        scan: while end < text.count {
            switch text[end] {
            case slash, UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            case UInt8(ascii: "@"):
                guard at == nil else { throw .syntax("a second @ before the host") }
                at = end
            default: break
            }
            end &+= 1
        }
        if let at { try name(text, start..<at, mayHaveColon: true) }
        let host = at.map { $0 &+ 1 } ?? start
        var portStart = end
        if host < end, text[host] == UInt8(ascii: "[") {
            guard let close = (host..<end).first(where: { text[$0] == UInt8(ascii: "]") }) else {
                throw .syntax("an IP address without a closing bracket")
            }
            guard IPLiteral.isValid(UnsafeBufferPointer(rebasing: text[(host &+ 1)..<close])) else {
                throw .syntax("an invalid IP address")
            }
            portStart = close &+ 1
            guard portStart == end || text[portStart] == ASCII.colon else { throw .syntax("text after an IP address") }
        } else {
            portStart = (host..<end).first { text[$0] == ASCII.colon } ?? end
            try name(text, host..<portStart, mayHaveColon: false)
        }
        if portStart < end {
            for place in (portStart &+ 1)..<end where !ASCII.isDigit(text[place]) {
                throw .syntax("a port that is not a number")
            }
        }
        return end
    }

    /// Checks a user or host name: unreserved characters, sub-delimiters and escapes.
    private static func name(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, mayHaveColon: Bool
    ) throws(ValueTextError) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                index = try escapeEnd(text, at: index)
                continue
            }
            guard isPathCharacter(byte), byte != ASCII.colon || mayHaveColon else { throw fault(byte) }
            index &+= 1
        }
    }

    private static func escapeEnd(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int
    ) throws(ValueTextError) -> Int {
        guard text.count &- index >= 3, ASCII.hexValue(text[index &+ 1]) < 16, ASCII.hexValue(text[index &+ 2]) < 16
        else {
            throw .syntax("a % without two hexadecimal digits")
        }
        return index &+ 3
    }

    /// Whether a byte is a `pchar` other than an escape (section 3.3). The masks have one bit for each ASCII character.
    @inline(__always)
    static func isPathCharacter(_ byte: UInt8) -> Bool {
        let low: UInt64 = 0x2FFF_7FD2_0000_0000
        let high: UInt64 = 0x47FF_FFFE_87FF_FFFF
        return byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte &- 64) & 1 == 1
    }

    private static func fault(_ byte: UInt8) -> ValueTextError {
        switch byte {
        case ASCII.space: .syntax("a space")
        case 0..<0x20, 0x7F: .syntax("a control character")
        case 0x80...: .syntax("a character that is not ASCII and not escaped")
        default: .syntax("a character that must be escaped")
        }
    }
}
