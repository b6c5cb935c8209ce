package import Foundation

/// An exact decimal number: `(-1)^negative × mantissa × 10^exponent`.
///
/// It is normalised: the mantissa has no trailing zero, and zero is `0 × 10^0`, not negative. Equal numbers are
/// therefore equal values. It has at most 38 digits and the range of Foundation's `Decimal` (exponent −128 to 127).
public struct ExactDecimal: Sendable, Hashable {
    /// Whether the number is negative; false for zero.
    public let isNegative: Bool
    /// The digits as an integer of at most 38 digits without a trailing zero.
    public let mantissa: UInt128
    /// The exponent of the power of ten by which the mantissa is multiplied, -128 to 127; 0 for zero.
    public let exponent: Int32

    /// Creates the normalised number; nil if it has more than 38 digits or is out of range.
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
        guard mantissa <= Self.largestMantissa else { return nil }
        // A large exponent with a short mantissa is the same number with a longer mantissa.
        while exponent > 127 {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            guard !overflow, product <= Self.largestMantissa else { return nil }
            mantissa = product
            exponent -= 1
        }
        guard exponent >= -128 else { return nil }
        self.isNegative = isNegative
        self.mantissa = mantissa
        self.exponent = Int32(exponent)
    }

    /// 10^38 - 1.
    private static let largestMantissa: UInt128 = 99_999_999_999_999_999_999_999_999_999_999_999_999
}

/// The number with all digits, in plain notation if that is not long (`1234.5`, `1.5e-60`).
extension ExactDecimal: CustomStringConvertible {
    public var description: String {
        var text: [UInt8] = []
        DecimalText.append(self, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension ExactDecimal {
    /// The same number as a Foundation `Decimal`, which holds any 38 digits exactly.
    package var foundationDecimal: Decimal {
        let sign: FloatingPointSign = isNegative ? .minus : .plus
        let half: UInt128 = 10_000_000_000_000_000_000
        let (high, low) = mantissa.quotientAndRemainder(dividingBy: half)
        let lowPart = Decimal(UInt64(truncatingIfNeeded: low))
        // The digits of `Decimal` are not accessible on Linux. Its arithmetic is exact up to 38 digits.
        let digits =
            high == 0
            ? lowPart
            : Decimal(sign: .plus, exponent: 19, significand: Decimal(UInt64(truncatingIfNeeded: high))) + lowPart
        return Decimal(sign: sign, exponent: Int(exponent), significand: digits)
    }

    /// Returns nil for NaN and for numbers with 39 digits.
    package init?(exactly value: Decimal) {
        guard !value.isNaN else { return nil }
        let significand = NSDecimalNumber(decimal: value.significand).doubleValue
        if significand < 9_007_199_254_740_992 {
            // A double is exact for these integers. Foundation has no faster access to the digits on every platform.
            self.init(
                isNegative: value.isSignMinus, shortMantissa: UInt64(significand), exponent: value.exponent)
            return
        }
        // The description has all digits and no exponent, and is independent of the locale.
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
        // With the same order of magnitude, the difference of the exponents is that of the digit counts. The shorter
        // mantissa, scaled to the length of the other, has at most 38 digits, which fit in 128 bits.
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

    /// The number of decimal digits of the mantissa.
    private var digitCount: Int {
        var count = 1
        var limit: UInt128 = 10
        // The limit never exceeds 10^38, which fits in 128 bits.
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
            // The text is a valid number below 10^166, so the conversion never fails.
            magnitude = Double(String(decoding: text, as: UTF8.self)) ?? 0
        }
        return isNegative ? -magnitude : magnitude
    }

    /// The double that SQLite stores for the number in a NUMERIC column, and whether it is exact.
    ///
    /// It is exact if the shortest text of the double is this number. Numbers of up to 15 digits always are
    /// (`DBL_DIG`).
    package var storedDouble: (value: Double, isExact: Bool) {
        let value = nearestDouble
        return (value, mantissa < 1_000_000_000_000_000 || ExactDecimal(shortest: value) == self)
    }

    /// The number that the shortest text of a double denotes: 0.1 for the double nearest to 0.1.
    ///
    /// Returns nil for infinity, NaN, and numbers outside the range of a decimal.
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
    /// The exact product.
    ///
    /// - Throws: `precision` if it has more than 38 digits; `range` if it is outside the range of a decimal.
    package func multiplied(by other: ExactDecimal) throws(ValueTextError) -> ExactDecimal {
        guard mantissa != 0, other.mantissa != 0 else { return .zero }
        var exponent = Int(self.exponent) + Int(other.exponent)
        var left = mantissa
        var right = other.mantissa
        // Only numbers near the upper end of the range have trailing zeros.
        while left % 10 == 0 {
            left /= 10
            exponent += 1
        }
        while right % 10 == 0 {
            right /= 10
            exponent += 1
        }
        // Without factors 2 and 5 in pairs, the product has no trailing zero, so all its digits are significant.
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
        guard !isTooLong, product <= Self.largestMantissa else {
            throw .precision("a product with more than 38 digits")
        }
        let number = ExactDecimal(
            isNegative: isNegative != other.isNegative, mantissa: product, exponent: exponent)
        guard let number else { throw .range("outside the range of a decimal") }
        return number
    }

    /// The nearest single-precision number. Rounded once; conversion through a double would round twice.
    ///
    /// - Throws: `range` if the number is too large for single precision, or rounds to zero.
    package func nearestFloat() throws(ValueTextError) -> Float {
        var digits: [UInt8] = []
        DecimalText.append(self, to: &digits)
        return try digits.withUnsafeBufferPointer { digits throws(ValueTextError) in
            try FloatingText.parseFloat(digits)
        }
    }
}
