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
