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
