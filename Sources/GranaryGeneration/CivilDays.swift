import GranaryBase

/// Days since 2001-01-01 in the proleptic Gregorian calendar.
package enum CivilDays {
    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day of a valid date in the years 1 to 9999.
    package static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let fromMarch = month > 2 ? month - 3 : month + 9
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * fromMarch + 2) / 5 + day - 1
        // 0000-03-01 is day 0 of this count; 2001-01-01 is day 730,791.
        return Int64(days) - 730_791
    }

    /// `2010-01-15`: the date of a day, at most those of the years 1 to 9999.
    static func text(ofDay day: Int64) -> String {
        let bounded = min(max(day, days(year: 1, month: 1, day: 1)), days(year: 9999, month: 12, day: 31))
        var (low, high) = (1, 9999)
        while low < high {
            let middle = (low + high + 1) / 2
            if days(year: middle, month: 1, day: 1) <= bounded { low = middle } else { high = middle - 1 }
        }
        let month = (1...12).last { days(year: low, month: $0, day: 1) <= bounded } ?? 1
        let number = bounded - days(year: low, month: month, day: 1) + 1
        func padded(_ number: some BinaryInteger, _ width: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(low, 4))-\(padded(month, 2))-\(padded(number, 2))"
    }
}
