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
