/// Dates as text in the profile of ISO 8601 that RFC 3339 defines: `2026-07-29T14:30:00.25+02:00`.
///
/// Beyond RFC 3339, parsing accepts a space instead of `T`, a time without seconds, the offsets `+0200` and `+02`, a
/// space before the offset if there is one before the time (Foundation prints a `Date` so), a date alone, and a time
/// without a zone. ``WallTime`` distinguishes the last two, and the caller accepts or refuses them. A leap second is
/// refused, because a date is a count of seconds without leap seconds.
package enum DateText {
    package static func scan(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> WallTime {
        let count = text.count
        guard count >= 10, text[4] == ASCII.minus, text[7] == ASCII.minus else { throw notADate }
        let days = try days(
            year: twoDigits(text, 0) &* 100 &+ twoDigits(text, 2), month: twoDigits(text, 5), day: twoDigits(text, 8))
        if count == 10 { return WallTime(seconds: Int64(days) &* 86_400, zone: .none, isDateOnly: true) }
        let separator = text[10]
        guard separator == UInt8(ascii: "T") || separator == ASCII.space || separator == UInt8(ascii: "t") else {
            throw .syntax("no T or space between date and time")
        }
        guard count >= 16, text[13] == ASCII.colon else { throw .syntax("a time that is not HH:MM:SS") }
        var second = 0
        var index = 16
        if count > 16, text[16] == ASCII.colon {
            guard count >= 19 else { throw .syntax("a time that is not HH:MM:SS") }
            second = twoDigits(text, 17)
            index = 19
        }
        let time = try seconds(hour: twoDigits(text, 11), minute: twoDigits(text, 14), second: second)
        var wall = WallTime(seconds: Int64(days &* 86_400 &+ time), zone: .none, isDateOnly: false)
        if index == 19, count > 19, text[19] == ASCII.point {
            index = try fraction(of: text, from: 20, into: &wall)
        }
        if index < count {
            if separator == ASCII.space, text[index] == ASCII.space { index &+= 1 }
            wall.zone = try .offset(offset(text, from: index))
        }
        return wall
    }

    /// Parses digits up to the first other byte, and returns its index.
    private static func fraction(
        of text: UnsafeBufferPointer<UInt8>, from start: Int, into wall: inout WallTime
    ) throws(ValueTextError) -> Int {
        var value: UInt64 = 0
        var index = start
        while index < text.count {
            let digit = text[index] &- ASCII.zero
            guard digit < 10 else { break }
            // With more than 19 digits the value wraps around; only shorter fractions use it.
            value = value &* 10 &+ UInt64(digit)
            index &+= 1
        }
        guard index > start else { throw .syntax("no digits after the decimal point of the seconds") }
        wall.fraction = value
        wall.fractionStart = start
        wall.fractionCount = index &- start
        return index
    }

    /// `Z`, `+HH:MM`, `+HHMM` or `+HH`, up to the end of the text.
    static func offset(_ text: UnsafeBufferPointer<UInt8>, from start: Int) throws(ValueTextError) -> Int {
        let length = text.count &- start
        guard length > 0 else { throw badOffset }
        let first = text[start]
        if length == 1, first == UInt8(ascii: "Z") || first == UInt8(ascii: "z") { return 0 }
        guard first == ASCII.plus || first == ASCII.minus, length >= 3 else { throw badOffset }
        let hour = twoDigits(text, start &+ 1)
        let minute: Int
        switch length {
        case 3: minute = 0
        case 5: minute = twoDigits(text, start &+ 3)
        case 6 where text[start &+ 3] == ASCII.colon: minute = twoDigits(text, start &+ 4)
        default: throw badOffset
        }
        guard hour < 24, minute < 60 else { throw badOffset }
        let seconds = hour &* 3600 &+ minute &* 60
        return first == ASCII.minus ? 0 &- seconds : seconds
    }

    /// The number of two digits; a large number if they are not digits, so that a range check suffices.
    @inline(__always)
    static func twoDigits(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let high = text[index] &- ASCII.zero
        let low = text[index &+ 1] &- ASCII.zero
        return high < 10 && low < 10 ? Int(high) &* 10 &+ Int(low) : 100_000
    }

    /// Checks a date and returns its days since 2001-01-01.
    @inline(__always)
    static func days(year: Int, month: Int, day: Int) throws(ValueTextError) -> Int {
        guard year < 10_000, month < 100, day < 100 else { throw notADate }
        guard month >= 1, month <= 12 else { throw .syntax("a month outside 01 to 12") }
        guard day >= 1, day <= CivilDate.daysInMonth(month, of: year) else {
            throw .syntax("a day that the month does not have")
        }
        return CivilDate.days(year: year, month: month, day: day)
    }

    /// Checks a time and returns its seconds since midnight.
    @inline(__always)
    static func seconds(hour: Int, minute: Int, second: Int) throws(ValueTextError) -> Int {
        guard hour < 24, minute < 60, second < 60 else {
            throw badTime(hour: hour, minute: minute, second: second)
        }
        return hour &* 3600 &+ minute &* 60 &+ second
    }

    @inline(never)
    private static func badTime(hour: Int, minute: Int, second: Int) -> ValueTextError {
        if hour > 99 || minute > 99 || second > 99 { return .syntax("a time that is not HH:MM:SS") }
        if hour > 23 { return .syntax("an hour outside 00 to 23") }
        if minute > 59 { return .syntax("a minute outside 00 to 59") }
        return .syntax(second == 60 ? "a leap second, which a date cannot represent" : "a second outside 00 to 59")
    }

    private static let notADate = ValueTextError.syntax("not a date of the form YYYY-MM-DD")
    private static let badOffset = ValueTextError.syntax("a zone that is not Z or ±HH:MM")
}

extension DateText {
    /// Appends a date as `2026-07-29T14:30:00.25Z`: in UTC, with the shortest fraction that parses to the same double.
    ///
    /// - Parameter date: seconds since 2001-01-01 00:00:00 UTC.
    /// - Returns: false if the year is outside 0000 to 9999; nothing is appended then. -0.0 prints as 0.0.
    package static func append(_ date: Double, to output: inout [UInt8]) -> Bool {
        guard date >= Double(CivilDate.firstSecond), date < Double(CivilDate.endSecond) else { return false }
        let count = output.count
        output.append(atMost: longest) { write(date, at: $0) }
        if output.count > count { return true }
        let whole = date.rounded(.down)
        output.append(atMost: 19) { write(seconds: Int(whole), at: $0) }
        appendFraction(of: date, to: &output)
        output.append(UInt8(ascii: "Z"))
        return true
    }

    /// The largest number of bytes that ``write(_:at:)`` writes.
    static var longest: Int { 27 }

    /// Writes a date as ``append(_:to:)`` does and returns the number of bytes; 0 if the year is outside 0000 to 9999
    /// or the fraction has more than 6 digits.
    static func write(_ date: Double, at place: UnsafeMutablePointer<UInt8>) -> Int {
        guard date >= Double(CivilDate.firstSecond), date < Double(CivilDate.endSecond) else { return 0 }
        let whole = date.rounded(.down)
        var count = 19
        if date != whole {
            guard let short = ShortDecimal(date.magnitude) else { return 0 }
            // Before 2001 the fraction counts from the second before.
            let fraction = date > 0 ? short.fraction : short.scale &- short.fraction
            place[count] = ASCII.point
            IntegerText.write(fraction, digits: short.places, at: place + (count &+ 1))
            count &+= 1 &+ short.places
        }
        count = count &- 19 &+ write(seconds: Int(whole), at: place)
        place[count] = UInt8(ascii: "Z")
        return count &+ 1
    }

    /// Writes `YYYY-MM-DDTHH:MM:SS` and returns 19. The second is one of the years 0000 to 9999.
    @inline(__always)
    private static func write(seconds: Int, at place: UnsafeMutablePointer<UInt8>) -> Int {
        // Not negative: the range begins at a midnight.
        let sinceFirst = seconds &- Int(CivilDate.firstSecond)
        let civil = CivilDate.date(days: sinceFirst / 86_400 &+ Int(CivilDate.firstSecond / 86_400))
        let time = sinceFirst % 86_400
        func write(_ value: Int, digits: Int, at index: Int) {
            IntegerText.write(UInt64(truncatingIfNeeded: value), digits: digits, at: place + index)
        }
        write(civil.year, digits: 4, at: 0)
        place[4] = ASCII.minus
        write(civil.month, digits: 2, at: 5)
        place[7] = ASCII.minus
        write(civil.day, digits: 2, at: 8)
        place[10] = UInt8(ascii: "T")
        write(time / 3600, digits: 2, at: 11)
        place[13] = ASCII.colon
        write(time / 60 % 60, digits: 2, at: 14)
        place[16] = ASCII.colon
        write(time % 60, digits: 2, at: 17)
        return 19
    }

    /// The date as ISO 8601 text, or the number of seconds if the year is outside 0000 to 9999.
    package static func text(_ date: Double) -> String {
        var bytes: [UInt8] = []
        return append(date, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : "\(date)"
    }

    /// Appends the fraction with the digits of the shortest text of the double: the digits before the point are exact.
    private static func appendFraction(of date: Double, to output: inout [UInt8]) {
        var text = date.magnitude.description
        // The shortest text of a double has at most 17 digits. With a fraction, the last digit is not 0.
        guard let scan = text.withUTF8({ try? NumberScan($0) }), scan.exponent < 0 else { return }
        output.append(ASCII.point)
        let start = output.count
        IntegerText.append(magnitude: scan.mantissa, to: &output)
        // A date near the epoch can have more than 300 zeros before its digits.
        let surplus = output.count - start + scan.exponent
        if surplus > 0 {
            output.removeSubrange(start..<start + surplus)
        } else {
            output.insert(contentsOf: repeatElement(ASCII.zero, count: 0 - surplus), at: start)
        }
        if date < 0 {
            // The fraction counts from the second before: the ten's complement. The last digit is not 0, so there is no
            // carry.
            for index in start..<output.count { output[index] = 0x69 &- output[index] }
            output[output.count - 1] += 1
        }
    }
}
