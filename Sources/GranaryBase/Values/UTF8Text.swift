internal import Foundation

/// Questions about UTF-8 (RFC 3629, Unicode 15 table 3-7) that are asked of every text field.
package enum UTF8Text {
    /// Where the first sequence begins that is not well formed: overlong, a surrogate, past U+10FFFF, cut off.
    package static func firstInvalid(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        let count = text.count
        var index = 0
        while true {
            index = endOfASCII(text, from: index)
            guard index < count else { return nil }
            let length = sequenceLength(text, at: index)
            guard length > 0 else { return index }
            index &+= length
        }
    }

    /// Where the first U+0000 is.
    package static func firstNUL(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = text.baseAddress, let found = memchr(start, 0, text.count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// How many UTF-16 units the text has, which is its length as an `NSString`. The text is valid UTF-8.
    package static func utf16Count(in text: UnsafeBufferPointer<UInt8>) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        var units = 0
        // Eight bytes at once, by the same rule as below; the product's high byte is the sum of its bytes.
        while index <= text.count &- 8 {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let continuations = (word >> 7) & ~(word >> 6) & ones
            let longLeads = (word >> 7) & (word >> 6) & (word >> 5) & (word >> 4) & ones
            units &+= 8 &+ Int(truncatingIfNeeded: (longLeads &* ones) >> 56)
            units &-= Int(truncatingIfNeeded: (continuations &* ones) >> 56)
            index &+= 8
        }
        while index < text.count {
            let byte = text[index]
            // Each first byte is a unit, and a sequence of four bytes has two.
            units &+= (byte & 0xC0 != 0x80 ? 1 : 0) &+ (byte >= 0xF0 ? 1 : 0)
            index &+= 1
        }
        return units
    }

    package static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        endOfASCII(text, from: 0) == text.count
    }

    /// The first byte at or after `start` that is not ASCII.
    @inline(__always)
    static func endOfASCII(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        var index = start
        // Eight bytes lie in the buffer while the index is at most count - 8.
        while index <= text.count &- 8 {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            if high != 0 { return index &+ high.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < text.count, text[index] < 0x80 { index &+= 1 }
        return index
    }

    /// How long the sequence of two to four bytes is; 0 where it is not well formed.
    static func sequenceLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let first = text[index]
        let left = text.count &- index
        guard left >= 2 else { return 0 }
        let second = text[index &+ 1]
        switch first {
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            // The second byte's range shuts out overlong forms (E0) and surrogates (ED).
            let low: UInt8 = first == 0xE0 ? 0xA0 : 0x80
            let high: UInt8 = first == 0xED ? 0x9F : 0xBF
            guard left >= 3, second >= low, second <= high, text[index &+ 2] & 0xC0 == 0x80 else { return 0 }
            return 3
        case 0xF0...0xF4:
            let low: UInt8 = first == 0xF0 ? 0x90 : 0x80
            let high: UInt8 = first == 0xF4 ? 0x8F : 0xBF
            guard left >= 4, second >= low, second <= high, text[index &+ 2] & 0xC0 == 0x80,
                text[index &+ 3] & 0xC0 == 0x80
            else { return 0 }
            return 4
        default:
            return 0
        }
    }
}

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
