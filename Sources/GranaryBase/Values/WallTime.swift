/// What the text of a date says, before a time zone makes an instant of it.
package struct WallTime: Sendable {
    package enum Zone: Sendable, Hashable {
        /// Seconds east of Greenwich, as the text says.
        case offset(Int)
        /// The bytes of the text that name a zone of the IANA list.
        case named(Range<Int>)
        /// The text names no zone.
        case none
    }

    /// Whole seconds from 2001-01-01 00:00:00, by the clock that the text was read off.
    package var seconds: Int64
    package var zone: Zone
    /// Whether the text has no time of day.
    package var isDateOnly: Bool

    /// The digits behind the seconds' point: the number of the first 18, how many there are, and where they stand.
    var fraction: UInt64 = 0
    var fractionCount = 0
    var fractionStart = 0
}

extension WallTime {
    /// The double nearest to `utc` whole seconds and the fraction of the text that the value was read from.
    ///
    /// Before 2001 the fraction works against the whole seconds, so the two are put together as decimals: rounding
    /// twice would lose the exact double that was printed.
    func instant(utc: Int64, of text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Double {
        guard utc >= CivilDate.firstSecond, utc < CivilDate.endSecond else {
            throw .range("a date outside the years 0000 to 9999")
        }
        if fractionCount == 0 { return Double(utc) }
        // All digits as one integer, as long as they fit one: today's dates with nine or ten decimals do.
        if fractionCount < Self.scales.count {
            let (scaled, isTooLong) = utc.multipliedReportingOverflow(by: Self.scales[fractionCount])
            let (digits, isTooLarge) = scaled.addingReportingOverflow(Int64(truncatingIfNeeded: fraction))
            if !isTooLong, !isTooLarge,
                let value = BinaryRounding.double(mantissa: digits.magnitude, exponent: 0 &- fractionCount)
            {
                return digits < 0 ? -value : value
            }
        }
        return try longInstant(utc: utc, of: text)
    }

    @inline(never)
    private func longInstant(utc: Int64, of text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Double {
        var digits = UnsafeBufferPointer(rebasing: text[fractionStart..<fractionStart + fractionCount])[...]
        while digits.last == ASCII.zero { digits.removeLast() }
        guard !digits.isEmpty else { return Double(utc) }
        var number: [UInt8] = []
        number.reserveCapacity(digits.count + 16)
        if utc >= 0 {
            IntegerText.append(utc, to: &number)
            number.append(ASCII.point)
            number.append(contentsOf: digits)
        } else {
            // -3 + 0.25 is -2.75: one second less, and the ten's complement of the digits.
            number.append(ASCII.minus)
            IntegerText.append(magnitude: utc.magnitude - 1, to: &number)
            number.append(ASCII.point)
            for digit in digits { number.append(0x69 &- digit) }
            number[number.count - 1] += 1
        }
        // The last digit is not 0, so its complement is 1 to 9: no carry.
        return try number.withPlainBytes { number throws(ValueTextError) in try FloatingText.parse(number) }
    }

    private static let scales: [Int64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    ]
}
