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
            // Digits and an exponent are a number, and 10^165 is a double: the default is never taken.
            magnitude = Double(String(decoding: text, as: UTF8.self)) ?? 0
        }
        return isNegative ? -magnitude : magnitude
    }

    /// What SQLite keeps of the number in a NUMERIC column, and whether the number can be had back from it.
    ///
    /// Exact means that the shortest text that reads back the double is this very number. Fifteen digits always
    /// come back (`DBL_DIG`).
    package var storedDouble: (value: Double, isExact: Bool) {
        let value = nearestDouble
        return (value, mantissa < 1_000_000_000_000_000 || ExactDecimal(shortest: value) == self)
    }

    /// The number that the shortest text of a double says: 0.1 gives 0.1.
    ///
    /// Nil for what is not finite, and outside the range of a decimal.
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
