/// Converts decimal digits to the nearest binary floating-point number, ties to even.
///
/// With at most 19 digits and an exponent within ±27, the number is a ratio of 64-bit integers (5^27 < 2^63), which
/// integer arithmetic rounds correctly. Short numbers need one floating-point operation (Clinger, "How to read floating
/// point numbers accurately", 1990). The standard library parses all others.
enum BinaryRounding {
    /// `mantissa × 10^exponent`; nil if the standard library must parse the number.
    @inline(__always)
    static func double(mantissa: UInt64, exponent: Int) -> Double? {
        if mantissa <= 1 << 53 {
            // Both operands are exact, so the result is rounded once.
            if exponent == 0 { return Double(mantissa) }
            if exponent < 0, exponent >= -22 { return Double(mantissa) / powersOfTen[0 &- exponent] }
            if exponent > 0, exponent <= 22 { return Double(mantissa) * powersOfTen[exponent] }
        }
        return exactDouble(mantissa: mantissa, exponent: exponent)
    }

    @inline(never)
    private static func exactDouble(mantissa: UInt64, exponent: Int) -> Double? {
        if mantissa == 0 { return 0 }
        guard let binary = Binary(mantissa: mantissa, exponent: exponent) else { return nil }
        // From 64 bits to 53. A carry out of the significand correctly increments the exponent.
        let significand = binary.rounded(dropping: 11)
        let biased = UInt64(truncatingIfNeeded: binary.exponent &+ 11 &+ 52 &+ 1023)
        return Double(bitPattern: (biased << 52) &+ (significand &- (1 << 52)))
    }

    /// `mantissa × 10^exponent` in single precision, rounded once; infinite if too large. Nil as for
    /// ``double(mantissa:exponent:)``.
    static func float(mantissa: UInt64, exponent: Int) -> Float? {
        if mantissa == 0 { return 0 }
        guard let binary = Binary(mantissa: mantissa, exponent: exponent) else { return nil }
        let significand = binary.rounded(dropping: 40)
        let biased = binary.exponent &+ 40 &+ 23 &+ 127
        let bits = UInt64(truncatingIfNeeded: biased) << 23 &+ (significand &- (1 << 23))
        // 10^-27 is far above the smallest normal number, but the largest number can be exceeded.
        return bits >= 0xFF << 23 ? .infinity : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    }

    /// A 64-bit significand with the highest bit set, a power of two, and whether lower bits were dropped.
    private struct Binary {
        var significand: UInt64
        var exponent: Int
        var isInexact: Bool

        /// Returns nil if the mantissa is 0 or the exponent is outside ±27.
        init?(mantissa: UInt64, exponent decimalExponent: Int) {
            guard mantissa != 0, decimalExponent >= -27, decimalExponent <= 27 else { return nil }
            var bits: UInt64
            if decimalExponent >= 0 {
                let (high, low) = mantissa.multipliedFullWidth(by: powersOfFive[decimalExponent])
                exponent = decimalExponent
                if high == 0 {
                    bits = low
                    isInexact = false
                } else {
                    let shift = high.leadingZeroBitCount
                    bits = high << UInt64(shift) | (shift == 0 ? 0 : low >> UInt64(64 &- shift))
                    isInexact = low << UInt64(shift) != 0
                    exponent &+= 64 &- shift
                }
            } else {
                let divisor = powersOfFive[0 &- decimalExponent]
                let mantissaShift = mantissa.leadingZeroBitCount
                let divisorShift = divisor.leadingZeroBitCount
                let dividend = mantissa << UInt64(mantissaShift)
                // The high half is below 2^63 and the divisor is at least 2^63, so the quotient has 63 or 64 bits.
                let (quotient, remainder) = (divisor << UInt64(divisorShift))
                    .dividingFullWidth((dividend >> 1, dividend << 63))
                bits = quotient
                isInexact = remainder != 0
                exponent = divisorShift &- mantissaShift &+ decimalExponent &- 63
            }
            let shift = bits.leadingZeroBitCount
            significand = bits << UInt64(shift)
            exponent &-= shift
        }

        /// The significand without its lowest `count` bits, rounded to nearest, ties to even.
        func rounded(dropping count: UInt64) -> UInt64 {
            let kept = significand >> count
            let rest = significand & ((1 << count) &- 1)
            let half: UInt64 = 1 << (count &- 1)
            return kept &+ (rest > half || (rest == half && (isInexact || kept & 1 == 1)) ? 1 : 0)
        }
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static let powersOfFive: [UInt64] = [
        1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625, 1_953_125, 9_765_625, 48_828_125, 244_140_625, 1_220_703_125,
        6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625, 19_073_486_328_125,
        95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625, 11_920_928_955_078_125,
        59_604_644_775_390_625, 298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
    ]
}
