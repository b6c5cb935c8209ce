/// `YYYY-MM-DDTHH:MM:SSZ`, the one form of a date in an XML property list: whole seconds, UTC, years 0001 to 9999
/// of the Gregorian calendar, extended backwards.
enum XMLDateText {
    /// Days from 0001-01-01 to 2001-01-01.
    private static let daysBefore2001 = 730_485
    private static let firstSecond = -Double(daysBefore2001) * 86_400
    /// 10000-01-01, the first second that has no such text.
    private static let endSecond = Double(3_652_059 - daysBefore2001) * 86_400

    /// Whether this date can be written without a change.
    static func canHold(_ seconds: Double) -> Bool {
        seconds >= firstSecond && seconds < endSecond && seconds == seconds.rounded(.down)
    }

    static func seconds(_ text: [UInt8]) -> Double? {
        let text = Array(XMLScalarText.trimmed(text))
        guard text.count == 20 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in text[range] {
                guard 0x30...0x39 ~= byte else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z")] as [(Int, Character)] {
            guard text[index] == mark.asciiValue else { return nil }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            year >= 1, 1...12 ~= month, 1...daysInMonth(year, month) ~= day, hour < 24, minute < 60, second < 60
        else { return nil }
        let days = daysBefore(year: year) + daysBefore(month: month, of: year) + day - 1 - daysBefore2001
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// Appends the text of a date that ``canHold(_:)``.
    static func append(_ seconds: Double, to output: inout [UInt8]) {
        let total = Int(seconds) + daysBefore2001 * 86_400
        let (dayNumber, rest) = total.quotientAndRemainder(dividingBy: 86_400)
        // A guess that is never too small by more than one, put right by counting.
        var year = dayNumber * 400 / 146_097 + 1
        while daysBefore(year: year) > dayNumber { year -= 1 }
        while daysBefore(year: year + 1) <= dayNumber { year += 1 }
        var day = dayNumber - daysBefore(year: year)
        var month = 1
        while month < 12, day >= daysInMonth(year, month) {
            day -= daysInMonth(year, month)
            month += 1
        }
        func append(_ value: Int, _ width: Int, _ mark: Character) {
            var divisor = width == 4 ? 1000 : 10
            while divisor > 0 {
                output.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
                divisor /= 10
            }
            output.append(mark.asciiValue ?? 0x20)
        }
        append(year, 4, "-")
        append(month, 2, "-")
        append(day + 1, 2, "T")
        append(rest / 3600, 2, ":")
        append(rest / 60 % 60, 2, ":")
        append(rest % 60, 2, "Z")
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Days from 0001-01-01 to the year's first day.
    private static func daysBefore(year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400
    }

    private static func daysBefore(month: Int, of year: Int) -> Int {
        var days = 0
        for earlier in 1..<month { days += daysInMonth(year, earlier) }
        return days
    }

    private static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
