package import Foundation

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
