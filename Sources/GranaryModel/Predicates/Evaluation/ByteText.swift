import Foundation

/// Comparing and searching texts as bytes.
enum ByteText {
    /// Negative, zero or positive. A text that is the beginning of another one is before it.
    static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        let common = min(left.count, right.count)
        if common > 0, let first = left.baseAddress, let second = right.baseAddress {
            let difference = memcmp(first, second, common)
            if difference != 0 { return difference < 0 ? -1 : 1 }
        }
        return left.count < right.count ? -1 : (left.count > right.count ? 1 : 0)
    }

    static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        left.count == right.count && order(left, right) == 0
    }

    static func hasPrefix(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard part.count <= text.count else { return false }
        return areEqual(UnsafeBufferPointer(rebasing: text[..<part.count]), part)
    }

    static func hasSuffix(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard part.count <= text.count else { return false }
        return areEqual(UnsafeBufferPointer(rebasing: text[(text.count - part.count)...]), part)
    }

    /// Whether `part` is in the text.
    ///
    /// - Complexity: O(*n* + *m*). The plain search, which is the fastest for usual texts, gives way to one without
    ///   backtracking when it repeats too many comparisons.
    static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count, let start = text.baseAddress else { return false }
        let end = text.count - part.count
        var repeated = 0
        var index = 0
        while index <= end {
            guard let found = memchr(start + index, Int32(first), end - index + 1) else { return false }
            index = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            var length = 1
            while length < part.count, text[index + length] == part[length] { length += 1 }
            if length == part.count { return true }
            repeated += length
            index += 1
            if repeated > text.count {
                return containsWithoutBacktracking(UnsafeBufferPointer(rebasing: text[index...]), part)
            }
        }
        return false
    }

    /// Searches with the algorithm of Knuth, Morris and Pratt.
    private static func containsWithoutBacktracking(
        _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // For each length of a partial match: the length of the longest shorter one that remains after a different byte.
        var shorter = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = shorter[length - 1] }
            if part[index] == part[length] { length += 1 }
            shorter[index] = length
        }
        length = 0
        for byte in text {
            while length > 0, byte != part[length] { length = shorter[length - 1] }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}

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
