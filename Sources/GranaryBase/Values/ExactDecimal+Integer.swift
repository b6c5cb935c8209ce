extension ExactDecimal {
    package static let zero = ExactDecimal(0)

    package init(_ value: Int64) {
        // At most 20 digits and no exponent: always in range.
        self.init(normalising: value.magnitude, exponent: 0, isNegative: value < 0)
    }

    /// The number as a 64-bit integer; nil if it has a fraction or is too large.
    package var int64: Int64? {
        // The mantissa has no trailing zeros, so a negative exponent means a fraction. 10^19 exceeds 64 bits.
        guard exponent >= 0, exponent <= 18, mantissa <= UInt128(UInt64.max) else { return nil }
        var magnitude = UInt64(truncatingIfNeeded: mantissa)
        for _ in 0..<exponent {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
        }
        if isNegative {
            return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    /// The fast path for digits that fit in 64 bits; nil outside the range.
    init?(isNegative: Bool, shortMantissa: UInt64, exponent: Int) {
        // With these exponents the number is always in range.
        if exponent >= -128, exponent <= 100 {
            self.init(normalising: shortMantissa, exponent: exponent, isNegative: isNegative)
        } else {
            self.init(isNegative: isNegative, mantissa: UInt128(shortMantissa), exponent: exponent)
        }
    }

    /// The exponent is within −128 and 100, so it stays in range when trailing zeros are removed.
    private init(normalising digits: UInt64, exponent: Int, isNegative: Bool) {
        guard digits != 0 else {
            self.isNegative = false
            mantissa = 0
            self.exponent = 0
            return
        }
        var digits = digits
        var exponent = exponent
        // An odd number has no trailing zero; testing this first saves half of the divisions.
        while digits & 1 == 0, digits % 10 == 0 {
            digits /= 10
            exponent &+= 1
        }
        self.isNegative = isNegative
        mantissa = UInt128(digits)
        self.exponent = Int32(truncatingIfNeeded: exponent)
    }
}
