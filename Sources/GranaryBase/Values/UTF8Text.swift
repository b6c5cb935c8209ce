internal import GranaryCBytes
internal import Foundation

/// Validates and measures UTF-8 (RFC 3629, Unicode 15 table 3-7). It is used for every text field.
package enum UTF8Text {
    /// The index of the first ill-formed sequence: overlong, a surrogate, above U+10FFFF, or truncated. Nil if there is
    /// none.
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

    /// The index of the first U+0000; nil if there is none.
    package static func firstNUL(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = text.baseAddress, let found = memchr(start, 0, text.count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// The number of UTF-16 units of valid UTF-8, which is its length as an `NSString`.
    package static func utf16Count(in text: UnsafeBufferPointer<UInt8>) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        var units = 0
        // Eight bytes at a time, by the same rule as below. The high byte of the product is the sum of the bytes.
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
            // Each sequence is one unit; a sequence of four bytes is two.
            units &+= (byte & 0xC0 != 0x80 ? 1 : 0) &+ (byte >= 0xF0 ? 1 : 0)
            index &+= 1
        }
        return units
    }

    /// The index of the first byte at or after `start` that is not ASCII.
    @inline(__always)
    package static func endOfASCII(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = text.baseAddress else { return start }
        return granary_end_of_ascii(base, start, text.count)
    }

    /// The length of the sequence of two to four bytes; 0 if it is ill-formed.
    static func sequenceLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let first = text[index]
        let left = text.count &- index
        guard left >= 2 else { return 0 }
        let second = text[index &+ 1]
        switch first {
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            // The range of the second byte excludes overlong forms (E0) and surrogates (ED).
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
    /// Appends a Unicode scalar value: below U+110000 and not a surrogate.
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

    /// The scalar value at `index` and its length in bytes; nil if the bytes are ill-formed.
    static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt32, length: Int)? {
        let first = text[index]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = sequenceLength(text, at: index)
        guard length > 0 else { return nil }
        // The first byte without the bits that encode the length.
        var value = UInt32(first & (0x7F >> length))
        for byte in text[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
        return (value, length)
    }

    /// Whether the bytes are an incomplete sequence, which more bytes could complete.
    package static func isCutOff(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, text.count < 4 else { return false }
        // Complete it with valid bytes: after E0 and F0 the second byte must be in the upper range, after ED and F4 in
        // the lower.
        var continued = [UInt8](text)
        continued.append(first == 0xE0 || first == 0xF0 ? 0xBF : 0x80)
        while continued.count < 4 { continued.append(0x80) }
        return continued.withUnsafeBufferPointer { sequenceLength($0, at: 0) } > text.count
    }
}
