/// Converts between dates and days since 2001-01-01, in the proleptic Gregorian calendar of ISO 8601, years 0000 to
/// 9999.
///
/// Year 0000 is included, as in RFC 3339: `Date.distantPast`, which occurs in real stores, is 0000-12-30.
enum CivilDate {
    /// 0000-01-01 00:00:00 and 10000-01-01 00:00:00, in seconds since 2001-01-01 UTC.
    static let firstSecond: Int64 = -730_851 * 86_400
    static let endSecond: Int64 = 2_921_574 * 86_400

    /// The number of days in 400 years, after which the calendar repeats.
    private static let daysInCycle = 146_097

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int) -> Bool {
        year & 3 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days since 2001-01-01. The date must be valid.
    @inline(__always)
    static func days(year: Int, month: Int, day: Int) -> Int {
        // Years begin in March, so that the leap day is the last day of a year, and 400 is added, so that no year is
        // negative.
        let shifted = month > 2 ? year &+ 400 : year &+ 399
        let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
        let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
        // In that count 0000-03-01 is day 146,097 and 2001-01-01 is day 876,888.
        return 365 &* shifted &+ shifted / 4 &- shifted / 100 &+ shifted / 400 &+ dayOfYear &- 876_888
    }

    /// The date of a day from 0000-01-01 to 9999-12-31.
    static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        // The inverse of `days(year:month:day:)`, with the method of H. Hinnant's `civil_from_days`.
        let shifted = days &+ 876_888
        let cycle = shifted / daysInCycle
        let dayOfCycle = shifted &- cycle &* daysInCycle
        let yearOfCycle = (dayOfCycle &- dayOfCycle / 1460 &+ dayOfCycle / 36_524 &- dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle &- (365 &* yearOfCycle &+ yearOfCycle / 4 &- yearOfCycle / 100)
        let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
        let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
        let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
        let year = yearOfCycle &+ cycle &* 400 &- 400 &+ (month <= 2 ? 1 : 0)
        return (year, month, day)
    }
}
