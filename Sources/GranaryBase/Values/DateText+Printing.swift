extension DateText {
    /// Appends `2026-07-29T14:30:00.25Z`: UTC, with the shortest fraction that reads back the same double.
    ///
    /// - Parameter date: seconds since 2001-01-01 00:00:00 UTC.
    /// - Returns: false, and nothing is appended, outside the years 0000 to 9999. -0.0 prints as 0.0.
    package static func append(_ date: Double, to output: inout [UInt8]) -> Bool {
        guard date >= Double(CivilDate.firstSecond), date < Double(CivilDate.endSecond) else { return false }
        let whole = date.rounded(.down)
        let seconds = Int(whole)
        // The range begins at a midnight, so both parts of this are not negative.
        let sinceFirst = seconds - Int(CivilDate.firstSecond)
        let civil = CivilDate.date(days: sinceFirst / 86_400 + Int(CivilDate.firstSecond / 86_400))
        let time = sinceFirst % 86_400
        append(twoDigits: civil.year / 100, to: &output)
        append(twoDigits: civil.year % 100, to: &output)
        output.append(ASCII.minus)
        append(twoDigits: civil.month, to: &output)
        output.append(ASCII.minus)
        append(twoDigits: civil.day, to: &output)
        output.append(UInt8(ascii: "T"))
        append(twoDigits: time / 3600, to: &output)
        output.append(ASCII.colon)
        append(twoDigits: time / 60 % 60, to: &output)
        output.append(ASCII.colon)
        append(twoDigits: time % 60, to: &output)
        if date != whole { appendFraction(of: date, to: &output) }
        output.append(UInt8(ascii: "Z"))
        return true
    }

    /// The fraction's digits are those of the shortest text of the whole double: what stands before the point is exact.
    /// The date as ISO 8601 text, or the number of seconds if the year is outside 0000 to 9999.
    static func text(_ date: Double) -> String {
        var bytes: [UInt8] = []
        return append(date, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : "\(date)"
    }

    private static func appendFraction(of date: Double, to output: inout [UInt8]) {
        var text = date.magnitude.description
        // A double's own text is a number of at most 17 digits, and with a fraction its last is not 0.
        guard let scan = text.withUTF8({ try? NumberScan($0) }), scan.exponent < 0 else { return }
        output.append(ASCII.point)
        let start = output.count
        IntegerText.append(magnitude: scan.mantissa, to: &output)
        // A date near the epoch may have more than 300 zeros before its digits.
        let surplus = output.count - start + scan.exponent
        if surplus > 0 {
            output.removeSubrange(start..<start + surplus)
        } else {
            output.insert(contentsOf: repeatElement(ASCII.zero, count: 0 - surplus), at: start)
        }
        if date < 0 {
            // Counted from the second before: the ten's complement, in which nothing is carried.
            for index in start..<output.count { output[index] = 0x69 &- output[index] }
            output[output.count - 1] += 1
        }
    }

    @inline(__always)
    private static func append(twoDigits value: Int, to output: inout [UInt8]) {
        output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: value / 10))
        output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: value % 10))
    }
}
