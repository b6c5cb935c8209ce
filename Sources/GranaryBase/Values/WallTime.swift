/// The local date and time in a text, before the time zone is applied.
package struct WallTime: Sendable {
    package enum Zone: Sendable, Hashable {
        /// The offset in the text, in seconds east of Greenwich.
        case offset(Int)
        /// The range of bytes in the text with the name of a zone of the IANA list.
        case named(Range<Int>)
        /// The text has no zone.
        case none
    }

    /// Whole seconds since 2001-01-01 00:00:00 in local time.
    package var seconds: Int64
    package var zone: Zone
    /// Whether the text has no time of day.
    package var isDateOnly: Bool

    /// The fraction of the seconds: the number of its digits (valid up to 19 digits), their count, and their index in
    /// the text.
    var fraction: UInt64 = 0
    var fractionCount = 0
    var fractionStart = 0
}

extension WallTime {
    /// The double nearest to the sum of `utc` whole seconds and the fraction in `text`.
    ///
    /// Before 2001 the whole seconds are negative and the fraction is positive, so the two are added as decimals.
    /// Rounding twice would not give back the double that was printed.
    func instant(utc: Int64, of text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Double {
        guard utc >= CivilDate.firstSecond, utc < CivilDate.endSecond else {
            throw .range("a date outside the years 0000 to 9999")
        }
        if fractionCount == 0 { return Double(utc) }
        // All digits as one integer if they fit, as for current dates with nine or ten decimals.
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
        return try number.withUnsafeBufferPointer { number throws(ValueTextError) in try FloatingText.parse(number) }
    }

    private static let scales: [Int64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    ]
}

extension DateText {
    /// The seconds since 2001-01-01 00:00:00 UTC of a text. A text without a zone is in UTC.
    package static func secondsInUTC(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Double {
        let wall = try scan(text)
        guard case .offset(let offset) = wall.zone else { return try wall.instant(utc: wall.seconds, of: text) }
        return try wall.instant(utc: wall.seconds - Int64(offset), of: text)
    }
}
