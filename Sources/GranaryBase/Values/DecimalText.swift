/// Decimals as text, digit for digit: at most 38 significant digits, never by way of a double.
///
/// Reads `1234.5` and `1.2345e3` (the grammar is ``NumberScan``'s). Zeros at either end are not significant.
package enum DecimalText {
    /// - Throws: `syntax`; `precision` past 38 digits; `range` outside Foundation's `Decimal`.
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> ExactDecimal {
        let scan = try NumberScan(text)
        let number: ExactDecimal?
        if scan.isShort {
            number = ExactDecimal(isNegative: scan.isNegative, shortMantissa: scan.mantissa, exponent: scan.exponent)
        } else {
            number = try long(scan, of: text)
        }
        guard let number else { throw .range("more or less than a decimal holds") }
        return number
    }

    /// The same, where the file has separators of its own.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat
    ) throws(ValueTextError) -> ExactDecimal {
        if format.isPlain { return try parse(text) }
        return try format.plain(text).withPlainBytes { plain throws(ValueTextError) in try parse(plain) }
    }

    /// Appends the number in plain notation, or, where that takes more than 40 bytes, as `1.5e-60`.
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
            // Only a number near the top of the range has zeros at its end.
            while output.count > start + 1, output.last == ASCII.zero { output.removeLast() }
            if output.count > start + 1 { output.insert(ASCII.point, at: start + 1) }
            output.append(UInt8(ascii: "e"))
            IntegerText.append(Int64(whole - 1), to: &output)
        }
    }

    /// The digits of a mantissa, which has at most 38.
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
