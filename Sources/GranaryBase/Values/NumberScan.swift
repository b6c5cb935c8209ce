/// The parts of a number's text: a sign, digits with or without a decimal point, an exponent.
///
/// The grammar is that of JSON (RFC 8259) with an optional `+`: digits before and after the point, and no leading zero
/// before another digit. All parsers of numbers with fractions use it.
struct NumberScan {
    /// The digits as one integer; valid only if ``isShort``.
    var mantissa: UInt64 = 0
    /// The power of ten by which the integer of all digits is multiplied.
    var exponent = 0
    /// The range of the digits, including the point.
    var digitsStart = 0
    var digitsEnd = 0
    var digitCount = 0
    var isNegative = false

    /// Whether the digits fit in ``mantissa``: up to 19 always do.
    var isShort: Bool { digitCount <= 19 }

    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) {
        let count = text.count
        guard count > 0 else { throw .syntax("no digits") }
        var index = 0
        isNegative = text[0] == ASCII.minus
        if isNegative || text[0] == ASCII.plus { index = 1 }
        digitsStart = index
        var value: UInt64 = 0
        while index < count {
            let digit = text[index] &- ASCII.zero
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            index &+= 1
        }
        let whole = index &- digitsStart
        guard whole > 0 else { throw Self.fault(text, at: index) }
        if whole > 1, text[digitsStart] == ASCII.zero { throw .syntax("a leading zero") }
        var fraction = 0
        if index < count, text[index] == ASCII.point {
            index &+= 1
            let start = index
            while index < count {
                let digit = text[index] &- ASCII.zero
                guard digit < 10 else { break }
                value = value &* 10 &+ UInt64(digit)
                index &+= 1
            }
            fraction = index &- start
            guard fraction > 0 else { throw .syntax("no digits after the point") }
        }
        digitsEnd = index
        digitCount = whole &+ fraction
        mantissa = value
        exponent = 0 &- fraction
        if index < count { exponent &+= try Self.exponent(text, at: index) }
    }

    /// Parses the exponent after an `e`. It is clamped to about ±10^15, so that sums with it cannot overflow.
    @inline(never)
    private static func exponent(
        _ text: UnsafeBufferPointer<UInt8>, at start: Int
    ) throws(ValueTextError) -> Int {
        guard text[start] | 0x20 == UInt8(ascii: "e") else { throw fault(text, at: start) }
        var index = start + 1
        var isNegative = false
        if index < text.count, text[index] == ASCII.minus || text[index] == ASCII.plus {
            isNegative = text[index] == ASCII.minus
            index += 1
        }
        guard index < text.count else { throw .syntax("no digits in the exponent") }
        var value = 0
        while index < text.count {
            guard ASCII.isDigit(text[index]) else { throw fault(text, at: index) }
            if value < 100_000_000_000_000 { value = value * 10 + Int(text[index] &- ASCII.zero) }
            index += 1
        }
        return isNegative ? -value : value
    }

    private static func fault(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> ValueTextError {
        NumberFault.reason(text, at: index, isWhole: false)
    }
}

/// Numbers with more digits than ``NumberScan/mantissa`` can hold, in linear time and bounded memory.
extension NumberScan {
    /// Significant digits, without leading and trailing zeros.
    struct Digits {
        var digits: [UInt8] = []
        /// The power of ten by which the integer of the digits is multiplied.
        var exponent: Int
        /// Whether digits other than zero were dropped.
        var isCut = false
    }

    func significantDigits(of text: UnsafeBufferPointer<UInt8>, limit: Int) -> Digits {
        var result = Digits(exponent: exponent)
        for index in digitsStart..<digitsEnd where text[index] != ASCII.point {
            let digit = text[index] &- ASCII.zero
            if result.digits.isEmpty, digit == 0 { continue }
            if result.digits.count < limit {
                result.digits.append(digit)
            } else {
                result.exponent += 1
                if digit != 0 { result.isCut = true }
            }
        }
        while result.digits.last == 0 {
            result.digits.removeLast()
            result.exponent += 1
        }
        return result
    }
}

extension NumberScan {
    /// Whether all digits are zeros.
    func isZero(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text[digitsStart..<digitsEnd].allSatisfy { $0 == ASCII.zero || $0 == ASCII.point }
    }

    /// The number without its sign, for the standard library's parser, which is independent of the locale too.
    ///
    /// 800 digits determine any rounding: the longest exact midpoint between two doubles has 767. Further digits are
    /// replaced by a 1, which breaks a tie.
    func parserText(of text: UnsafeBufferPointer<UInt8>) -> String {
        let limit = 800
        if text.count <= limit {
            return String(decoding: UnsafeBufferPointer(rebasing: text[digitsStart...]), as: UTF8.self)
        }
        let parts = significantDigits(of: text, limit: limit)
        var exponent = parts.exponent
        var bytes = parts.digits.map { $0 &+ ASCII.zero }
        if parts.isCut {
            bytes.append(UInt8(ascii: "1"))
            exponent -= 1
        }
        if bytes.isEmpty { bytes.append(ASCII.zero) }
        bytes.append(UInt8(ascii: "e"))
        // Exponents beyond ±100000 are equally out of range.
        IntegerText.append(Int64(max(-100_000, min(100_000, exponent))), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
