/// Integers as text: an optional sign and decimal digits.
///
/// Spaces are not trimmed. `1e3` is not an integer, and `1.0` only if the caller allows a fraction of zeros. A leading
/// zero is refused: `007` is a code, which would be exported as `7`. `-0` is 0.
package enum IntegerText {
    /// - Throws: `syntax`; `range` if the number does not fit in 64 bits.
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Int64 {
        let count = text.count
        guard count > 0 else { throw .syntax("no digits") }
        let isNegative = text[0] == ASCII.minus
        let start = isNegative || text[0] == ASCII.plus ? 1 : 0
        guard start < count else { throw .syntax("no digits") }
        // 19 digits cannot overflow an unsigned 64-bit integer; more digits are out of range.
        let end = min(count, start &+ 19)
        var magnitude: UInt64 = 0
        var index = start
        while index < end {
            let digit = text[index] &- ASCII.zero
            guard digit < 10 else { throw notADigit(text, from: index) }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            index &+= 1
        }
        if end < count { throw tooLong(text, from: end) }
        if text[start] == ASCII.zero, count &- start > 1 { throw .syntax("a leading zero") }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { throw outOfRange }
            return Int64(truncatingIfNeeded: 0 &- magnitude)
        }
        guard magnitude <= UInt64(Int64.max) else { throw outOfRange }
        return Int64(truncatingIfNeeded: magnitude)
    }

    /// Parses a number with the separators of a file.
    ///
    /// - Parameter allowsZeroFraction: whether a fraction of zeros is accepted: `12.00`.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat, allowsZeroFraction: Bool = false
    ) throws(ValueTextError) -> Int64 {
        func parsed(_ plain: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Int64 {
            try parse(allowsZeroFraction ? withoutZeroFraction(plain) : plain)
        }
        if format.isPlain { return try parsed(text) }
        return try format.plainText(of: text).withUnsafeBufferPointer { plain throws(ValueTextError) in
            try parsed(plain)
        }
    }

    /// `12` for `12.00`; a text without a fraction of zeros unchanged.
    private static func withoutZeroFraction(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var end = text.count
        while end > 0, text[end - 1] == ASCII.zero { end -= 1 }
        guard end < text.count, end > 1, text[end - 1] == ASCII.point, ASCII.isDigit(text[end - 2]) else { return text }
        return UnsafeBufferPointer(rebasing: text[..<(end - 1)])
    }

    /// Whether a text would be a whole number without its fraction of zeros.
    package static func hasZeroFraction(_ text: UnsafeBufferPointer<UInt8>, format: NumberFormat) -> Bool {
        (try? parse(text, format: format)) == nil
            && (try? parse(text, format: format, allowsZeroFraction: true)) != nil
    }

    package static func append(_ value: Int64, to output: inout [UInt8]) {
        output.append(atMost: longest) { write(value, at: $0) }
    }

    static func append(magnitude: UInt64, to output: inout [UInt8]) {
        output.append(atMost: longest) { write(magnitude: magnitude, at: $0) }
    }

    /// The largest number of bytes that ``write(_:at:)`` writes.
    static var longest: Int { 20 }

    /// Writes a number and returns the number of bytes.
    static func write(_ value: Int64, at place: UnsafeMutablePointer<UInt8>) -> Int {
        guard value < 0 else { return write(magnitude: value.magnitude, at: place) }
        place[0] = ASCII.minus
        return 1 &+ write(magnitude: value.magnitude, at: place + 1)
    }

    @inline(__always)
    static func write(magnitude: UInt64, at place: UnsafeMutablePointer<UInt8>) -> Int {
        let count = digitCount(magnitude)
        write(magnitude, digits: count, at: place)
        return count
    }

    /// Writes the last `count` digits, with leading zeros.
    @inline(__always)
    static func write(_ magnitude: UInt64, digits count: Int, at place: UnsafeMutablePointer<UInt8>) {
        var rest = magnitude
        var index = count
        while index >= 2 {
            index &-= 2
            let pair = rest % 100
            rest /= 100
            place[index] = ASCII.zero &+ UInt8(truncatingIfNeeded: pair / 10)
            place[index &+ 1] = ASCII.zero &+ UInt8(truncatingIfNeeded: pair % 10)
        }
        if index == 1 { place[0] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10) }
    }

    @inline(__always)
    static func digitCount(_ magnitude: UInt64) -> Int {
        var count = 1
        var rest = magnitude
        while rest >= 10_000 {
            rest /= 10_000
            count &+= 4
        }
        if rest >= 1000 { return count &+ 3 }
        if rest >= 100 { return count &+ 2 }
        return rest >= 10 ? count &+ 1 : count
    }

    private static let outOfRange = ValueTextError.range("more than 64 bits hold")

    private static func notADigit(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> ValueTextError {
        NumberFault.reason(text, at: index, isWhole: true)
    }

    @inline(never)
    private static func tooLong(_ text: UnsafeBufferPointer<UInt8>, from end: Int) -> ValueTextError {
        for index in end..<text.count where !ASCII.isDigit(text[index]) { return notADigit(text, from: index) }
        let start = text.count - text.drop(while: { !ASCII.isDigit($0) }).count
        return text[start] == ASCII.zero ? .syntax("a leading zero") : outOfRange
    }
}
