/// Decimals as text, without conversion to a double. They have at most 38 significant digits.
///
/// Parses `1234.5` and `1.2345e3` (the grammar of ``NumberScan``). Leading and trailing zeros are not significant.
package enum DecimalText {
    /// - Throws: `syntax`; `precision` for more than 38 digits; `range` outside the range of Foundation's `Decimal`.
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> ExactDecimal {
        let scan = try NumberScan(text)
        let number: ExactDecimal?
        if scan.isShort {
            number = ExactDecimal(isNegative: scan.isNegative, shortMantissa: scan.mantissa, exponent: scan.exponent)
        } else {
            number = try long(scan, of: text)
        }
        guard let number else { throw .range("outside the range of a decimal") }
        return number
    }

    /// Parses a number with the separators of a file.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat
    ) throws(ValueTextError) -> ExactDecimal {
        if format.isPlain { return try parse(text) }
        return try format.plainText(of: text).withUnsafeBufferPointer { plain throws(ValueTextError) in try parse(plain)
        }
    }

    /// Appends the number in plain notation, or as `1.5e-60` if that is longer than 40 bytes.
    package static func append(_ number: ExactDecimal, to output: inout [UInt8]) {
        if number.isNegative { output.append(ASCII.minus) }
        let start = output.count
        append(digits: number.mantissa, to: &output)
        let digits = output.count - start
        let exponent = Int(number.exponent)
        // Digits before the point.
        let whole = digits + exponent
        if exponent >= 0, whole <= 40 {
            output.append(contentsOf: repeatElement(ASCII.zero, count: exponent))
        } else if exponent < 0, whole > 0 {
            output.insert(ASCII.point, at: start + whole)
        } else if exponent < 0, exponent >= -38 {
            output.insert(contentsOf: repeatElement(ASCII.zero, count: 1 - whole), at: start)
            output.insert(ASCII.point, at: start + 1)
        } else {
            // Only numbers near the upper end of the range have trailing zeros.
            while output.count > start + 1, output.last == ASCII.zero { output.removeLast() }
            if output.count > start + 1 { output.insert(ASCII.point, at: start + 1) }
            output.append(UInt8(ascii: "e"))
            IntegerText.append(Int64(whole - 1), to: &output)
        }
    }

    /// Appends the digits of a mantissa of at most 38 digits.
    static func append(digits mantissa: UInt128, to output: inout [UInt8]) {
        let half: UInt128 = 10_000_000_000_000_000_000
        guard mantissa >= half else {
            IntegerText.append(magnitude: UInt64(truncatingIfNeeded: mantissa), to: &output)
            return
        }
        let (high, low) = mantissa.quotientAndRemainder(dividingBy: half)
        IntegerText.append(magnitude: UInt64(truncatingIfNeeded: high), to: &output)
        let end = output.count
        IntegerText.append(magnitude: UInt64(truncatingIfNeeded: low), to: &output)
        output.insert(contentsOf: repeatElement(ASCII.zero, count: end + 19 - output.count), at: end)
    }

    @inline(never)
    private static func long(
        _ scan: NumberScan, of text: UnsafeBufferPointer<UInt8>
    ) throws(ValueTextError) -> ExactDecimal? {
        let digits = scan.significantDigits(of: text, limit: 38)
        guard !digits.isCut else { throw .precision("more than 38 digits") }
        var mantissa: UInt128 = 0
        for digit in digits.digits { mantissa = mantissa &* 10 &+ UInt128(digit) }
        return ExactDecimal(isNegative: scan.isNegative, mantissa: mantissa, exponent: digits.exponent)
    }
}
