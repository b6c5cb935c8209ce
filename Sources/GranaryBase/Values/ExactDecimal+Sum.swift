extension ExactDecimal {
    /// The exact sum; nil if it has more than 38 digits.
    package func adding(_ other: ExactDecimal) -> ExactDecimal? {
        if mantissa == 0 { return other }
        if other.mantissa == 0 { return self }
        let exponent = min(self.exponent, other.exponent)
        guard let left = mantissa.scaled(by: Int(self.exponent) - Int(exponent)),
            let right = other.mantissa.scaled(by: Int(other.exponent) - Int(exponent))
        else { return nil }
        guard isNegative != other.isNegative else {
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? nil : ExactDecimal(isNegative: isNegative, mantissa: sum, exponent: Int(exponent))
        }
        let difference = left > right ? left - right : right - left
        return ExactDecimal(
            isNegative: left > right ? isNegative : other.isNegative, mantissa: difference, exponent: Int(exponent))
    }

    /// The quotient with a count: exact, or rounded to at least 37 digits, ties to even. Nil if the count is not
    /// positive or the quotient is outside the range of a decimal.
    package func divided(by count: Int64) -> ExactDecimal? {
        guard let divisor = UInt128(exactly: count), divisor > 0 else { return nil }
        var (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
        var exponent = Int(self.exponent)
        // 10^37 has 38 digits. The smallest exponent of a decimal is -128.
        while remainder != 0, quotient < 10_000_000_000_000_000_000_000_000_000_000_000_000, exponent > -128 {
            let (digit, rest) = (remainder * 10).quotientAndRemainder(dividingBy: divisor)
            quotient = quotient * 10 + digit
            remainder = rest
            exponent -= 1
        }
        let half = (remainder * 2, divisor)
        if half.0 > half.1 || half.0 == half.1 && quotient & 1 == 1 { quotient += 1 }
        return ExactDecimal(isNegative: isNegative, mantissa: quotient, exponent: exponent)
    }
}

extension UInt128 {
    /// The number times a power of ten; nil if it does not fit.
    fileprivate func scaled(by exponent: Int) -> UInt128? {
        var result = self
        // A non-zero number overflows after at most 38 steps.
        for _ in 0..<exponent {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        return result
    }
}
