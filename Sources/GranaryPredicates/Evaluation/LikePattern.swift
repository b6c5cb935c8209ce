import Foundation

/// A prepared pattern of `LIKE`: `*` is any text, `?` is one Unicode scalar, and a backslash takes the next character
/// literally. The pattern matches the whole text.
package struct LikePattern: Sendable {
    private static let anyText: UInt16 = 0x100
    private static let anyScalar: UInt16 = 0x101

    /// The bytes of the pattern, and the two wildcards.
    private let tokens: [UInt16]

    /// Prepares a pattern in UTF-8. A backslash at the end is literal.
    package init(_ pattern: UnsafeBufferPointer<UInt8>) {
        var tokens: [UInt16] = []
        tokens.reserveCapacity(pattern.count)
        var index = 0
        while index < pattern.count {
            let byte = pattern[index]
            index += 1
            switch byte {
            case UInt8(ascii: "*"):
                // Several in a row are one.
                if tokens.last != Self.anyText { tokens.append(Self.anyText) }
            case UInt8(ascii: "?"): tokens.append(Self.anyScalar)
            case UInt8(ascii: "\\") where index < pattern.count:
                tokens.append(UInt16(pattern[index]))
                index += 1
            default: tokens.append(UInt16(byte))
            }
        }
        self.tokens = tokens
    }

    /// Whether the whole text in UTF-8 matches.
    ///
    /// - Complexity: O(*n* × *m*) at most. Only the last `*` is tried again, because a longer text for an earlier one
    ///   never helps.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        tokens.withUnsafeBufferPointer { tokens in
            var (place, token) = (0, 0)
            var (retryPlace, retryToken) = (0, -1)
            while place < text.count {
                if token < tokens.count {
                    let wanted = tokens[token]
                    if wanted == Self.anyText {
                        token += 1
                        (retryPlace, retryToken) = (place, token)
                        continue
                    }
                    if wanted == Self.anyScalar {
                        place = Self.endOfScalar(text, at: place)
                        token += 1
                        continue
                    }
                    if wanted == UInt16(text[place]) {
                        place += 1
                        token += 1
                        continue
                    }
                }
                guard retryToken >= 0 else { return false }
                // Text after the last `*` of the pattern is not looked at.
                if retryToken == tokens.count { return true }
                retryPlace = Self.endOfScalar(text, at: retryPlace)
                (place, token) = (retryPlace, retryToken)
            }
            while token < tokens.count, tokens[token] == Self.anyText { token += 1 }
            return token == tokens.count
        }
    }

    private static func endOfScalar(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
        var end = start + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
