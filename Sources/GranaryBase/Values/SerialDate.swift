/// Dates as numbers of days, as spreadsheets store them: 45292.5 is noon of 2024-01-01.
package enum SerialDate: Sendable, Hashable {
    /// Day 1 is 1900-01-01. Day 60 is 1900-02-29, which did not exist.
    case from1900
    /// Day 0 is 1904-01-01, as in old files of Excel for the Mac.
    case from1904

    /// The local time of a number, in milliseconds since 2001-01-01 00:00:00, to which spreadsheets round times.
    ///
    /// - Throws: ``ValueTextError``: `syntax` if it is not a number, `range` for a date before the first day or after
    ///   the year 9999.
    func milliseconds(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Int64 {
        let days = try FloatingText.parse(text)
        guard days.isFinite, days >= (self == .from1900 ? 1 : 0), days < 2_958_466 else {
            throw .range("not a day from \(self == .from1900 ? "1900-01-01 (1)" : "1904-01-01 (0)") to 9999-12-31")
        }
        guard self == .from1904 || days < 60 || days >= 61 else {
            throw .range("the day 60 is 1900-02-29, which did not exist")
        }
        // The days from day 0 to 2001-01-01.
        let epoch: Double =
            switch self {
            case .from1904: 35_430
            case .from1900: days < 60 ? 36_891 : 36_892
            }
        let milliseconds = ((days - epoch) * 86_400_000).rounded()
        guard let result = Int64(exactly: milliseconds) else { throw .range("a date outside the years 0000 to 9999") }
        return result
    }
}

extension SerialDate {
    /// Appends the number of a local time, as ``milliseconds(_:)`` reads it.
    ///
    /// - Parameter seconds: seconds since 2001-01-01 00:00:00 in local time.
    func append(seconds: Double, to output: inout [UInt8]) {
        var days = seconds / 86_400 + (self == .from1904 ? 35_430 : 36_892)
        // The days before 1900-03-01 have numbers that are one less.
        if self == .from1900, days < 61 { days -= 1 }
        if days == days.rounded(), let whole = Int64(exactly: days) {
            IntegerText.append(whole, to: &output)
        } else {
            FloatingText.append(days, to: &output)
        }
    }
}

extension Int64 {
    /// The quotient rounded down, and the remainder, which is not negative.
    func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
