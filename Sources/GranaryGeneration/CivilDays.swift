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
}
