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
        // For each length of a partial match, the length of the longest shorter partial match that ends at the same
        // byte. The search continues with it if the next byte is different.
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
