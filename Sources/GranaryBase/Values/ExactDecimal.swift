package import Foundation

/// A decimal number as its digits say: `(-1)^negative × mantissa × 10^exponent`, never through a double.
///
/// Normalised: the mantissa has no trailing zero, and zero is `0 × 10^0`, not negative. So two equal numbers
/// are equal values. At most 38 digits; the range is that of Foundation's `Decimal` (exponent −128 to 127).
public struct ExactDecimal: Sendable, Hashable {
    /// Whether the number is below zero; false for zero.
    public let isNegative: Bool
    /// The digits as a whole number of at most 38 digits, without a trailing zero.
    public let mantissa: UInt128
    /// The power of ten that the mantissa is multiplied by, -128 to 127; 0 for zero.
    public let exponent: Int32

    /// Makes the number in its normal form; nil where it has more than 38 digits or leaves the range.
    public init?(isNegative: Bool, mantissa: UInt128, exponent: Int) {
        var mantissa = mantissa
        var exponent = exponent
        guard mantissa != 0 else {
            self.isNegative = false
            self.mantissa = 0
            self.exponent = 0
            return
        }
        while true {
            let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            mantissa = quotient
            exponent += 1
        }
        // 10^38 - 1 is the largest mantissa of 38 digits.
        guard mantissa <= 99_999_999_999_999_999_999_999_999_999_999_999_999 else { return nil }
        // A large exponent with a short mantissa is the same number with a longer mantissa.
        while exponent > 127 {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            guard !overflow, product <= 99_999_999_999_999_999_999_999_999_999_999_999_999 else { return nil }
            mantissa = product
            exponent -= 1
        }
        guard exponent >= -128 else { return nil }
        self.isNegative = isNegative
        self.mantissa = mantissa
        self.exponent = Int32(exponent)
    }
}

/// The number as people write it: all digits, plain where that is not long (`1234.5`, `1.5e-60`).
extension ExactDecimal: CustomStringConvertible {
    public var description: String {
        var text: [UInt8] = []
        DecimalText.append(self, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension ExactDecimal {
    /// The same number as Foundation has it. Nothing is lost: its 128 bits hold any 38 digits.
    package var foundationDecimal: Decimal {
        let sign: FloatingPointSign = isNegative ? .minus : .plus
        let half: UInt128 = 10_000_000_000_000_000_000
        let (high, low) = mantissa.quotientAndRemainder(dividingBy: half)
        let lowPart = Decimal(UInt64(truncatingIfNeeded: low))
        // Linux has no access to Foundation's own digits, and its arithmetic is exact up to 38 of them.
        let digits =
            high == 0
            ? lowPart
            : Decimal(sign: .plus, exponent: 19, significand: Decimal(UInt64(truncatingIfNeeded: high))) + lowPart
        return Decimal(sign: sign, exponent: Int(exponent), significand: digits)
    }

    /// Nil for NaN, and for one of the few numbers of 39 digits.
    package init?(exactly value: Decimal) {
        guard !value.isNaN else { return nil }
        let significand = NSDecimalNumber(decimal: value.significand).doubleValue
        if significand < 9_007_199_254_740_992 {
            // Up to here a double has every integer. Foundation has no quicker way to its digits on every platform.
            self.init(
                isNegative: value.isSignMinus, shortMantissa: UInt64(significand), exponent: value.exponent)
            return
        }
        // The description has all digits, a point and no exponent, and does not look at the locale.
        var text = value.description
        guard let number = text.withUTF8({ try? DecimalText.parse($0) }) else { return nil }
        self = number
    }
}

extension ExactDecimal: Comparable {
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isSmallerInMagnitude(than: left) : left.isSmallerInMagnitude(than: right)
    }

    private func isSmallerInMagnitude(than other: ExactDecimal) -> Bool {
        if exponent == other.exponent { return mantissa < other.mantissa }
        if mantissa == 0 || other.mantissa == 0 { return mantissa < other.mantissa }
        let order = digitCount + Int(exponent)
        let otherOrder = other.digitCount + Int(other.exponent)
        if order != otherOrder { return order < otherOrder }
        // The same order of magnitude, so the difference of the exponents is that of the digit counts, and the
        // shorter mantissa, made as long as the other, has 38 digits at most: less than 128 bits.
        let difference = Int(exponent) - Int(other.exponent)
        return difference > 0
            ? Self.scaled(mantissa, by: difference) < other.mantissa
            : mantissa < Self.scaled(other.mantissa, by: -difference)
    }

    private static func scaled(_ mantissa: UInt128, by exponent: Int) -> UInt128 {
        var result = mantissa
        for _ in 0..<exponent { result = result &* 10 }
        return result
    }

    /// How many decimal digits the mantissa has.
    private var digitCount: Int {
        var count = 1
        var limit: UInt128 = 10
        // Ends at 10^38, which 128 bits hold.
        while count < 38, mantissa >= limit {
            count += 1
            limit = limit &* 10
        }
        return count
    }
}

extension ExactDecimal {
    /// The double nearest to the number, ties to even. Always finite.
    package var nearestDouble: Double {
        let magnitude: Double
        if let digits = UInt64(exactly: mantissa),
            let value = BinaryRounding.double(mantissa: digits, exponent: Int(exponent))
        {
            magnitude = value
        } else {
            var text: [UInt8] = []
            DecimalText.append(digits: mantissa, to: &text)
            text.append(UInt8(ascii: "e"))
            IntegerText.append(Int64(exponent), to: &text)
            // Digits and an exponent are a number, and 10^165 is a double: the default is never taken.
            magnitude = Double(String(decoding: text, as: UTF8.self)) ?? 0
        }
        return isNegative ? -magnitude : magnitude
    }

    /// What SQLite keeps of the number in a NUMERIC column, and whether the number can be had back from it.
    ///
    /// Exact means that the shortest text that reads back the double is this very number. Fifteen digits always
    /// come back (`DBL_DIG`).
    package var storedDouble: (value: Double, isExact: Bool) {
        let value = nearestDouble
        return (value, mantissa < 1_000_000_000_000_000 || ExactDecimal(shortest: value) == self)
    }

    /// The number that the shortest text of a double says: 0.1 gives 0.1.
    ///
    /// Nil for what is not finite, and outside the range of a decimal.
    package init?(shortest value: Double) {
        guard value.isFinite else { return nil }
        if value.magnitude < 1e15, value == value.rounded(.towardZero) {
            self.init(Int64(value))
            return
        }
        var text: [UInt8] = []
        FloatingText.append(value, to: &text)
        guard let scan = text.withUnsafeBufferPointer({ try? NumberScan($0) }), scan.isShort else { return nil }
        self.init(isNegative: scan.isNegative, shortMantissa: scan.mantissa, exponent: scan.exponent)
    }
}

extension ExactDecimal {
    /// The exact product: nothing is rounded.
    ///
    /// - Throws: `precision` where it has more than 38 digits; `range` outside a decimal's exponents.
    package func multiplied(by other: ExactDecimal) throws(ValueTextError) -> ExactDecimal {
        guard mantissa != 0, other.mantissa != 0 else { return .zero }
        var exponent = Int(self.exponent) + Int(other.exponent)
        var left = mantissa
        var right = other.mantissa
        // Only a number near the top of the range has zeros at its end.
        while left % 10 == 0 {
            left /= 10
            exponent += 1
        }
        while right % 10 == 0 {
            right /= 10
            exponent += 1
        }
        // Without these pairs the product ends in no zero, so all its digits count and a long one is too long.
        while left & 1 == 0, right % 5 == 0 {
            left /= 2
            right /= 5
            exponent += 1
        }
        while right & 1 == 0, left % 5 == 0 {
            right /= 2
            left /= 5
            exponent += 1
        }
        let (product, isTooLong) = left.multipliedReportingOverflow(by: right)
        guard !isTooLong, product <= 99_999_999_999_999_999_999_999_999_999_999_999_999 else {
            throw .precision("a product of more than 38 digits")
        }
        let number = ExactDecimal(
            isNegative: isNegative != other.isNegative, mantissa: product, exponent: exponent)
        guard let number else { throw .range("more or less than a decimal holds") }
        return number
    }

    /// The single-precision number nearest to the number. Rounded once: by way of a double it would be twice.
    ///
    /// - Throws: `range` past single precision, and where only zero would be left.
    package func nearestFloat() throws(ValueTextError) -> Float {
        var digits: [UInt8] = []
        DecimalText.append(self, to: &digits)
        return try digits.withPlainBytes { digits throws(ValueTextError) in try FloatingText.parseFloat(digits) }
    }
}
