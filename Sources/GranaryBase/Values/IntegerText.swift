/// Integers as text: an optional sign and decimal digits.
///
/// Spaces are not trimmed. `1.0` and `1e3` are not integers. A leading zero is refused: `007` is a code, which would be
/// exported as `7`. `-0` is 0.
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
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat
    ) throws(ValueTextError) -> Int64 {
        if format.isPlain { return try parse(text) }
        return try format.plain(text).withUnsafeBufferPointer { plain throws(ValueTextError) in try parse(plain) }
    }

    package static func append(_ value: Int64, to output: inout [UInt8]) {
        if value < 0 { output.append(ASCII.minus) }
        append(magnitude: value.magnitude, to: &output)
    }

    static func append(magnitude: UInt64, to output: inout [UInt8]) {
        if magnitude < 10 {
            output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: magnitude))
            return
        }
        // The largest magnitude has 20 digits. They are computed from the last one.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = magnitude
            var index = 20
            while rest != 0 {
                index &-= 1
                digits[index] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[index..<20]))
        }
    }

    private static let outOfRange = ValueTextError.range("more than 64 bits hold")

    @inline(never)
    private static func notADigit(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> ValueTextError {
        switch text[index] {
        case ASCII.point, UInt8(ascii: "e"), UInt8(ascii: "E"): .syntax("not a whole number")
        case ASCII.space: .syntax("a space")
        default: .syntax("not a digit")
        }
    }

    @inline(never)
    private static func tooLong(_ text: UnsafeBufferPointer<UInt8>, from end: Int) -> ValueTextError {
        for index in end..<text.count where !ASCII.isDigit(text[index]) { return notADigit(text, from: index) }
        let start = text.count - text.drop(while: { !ASCII.isDigit($0) }).count
        return text[start] == ASCII.zero ? .syntax("a leading zero") : outOfRange
    }
}
