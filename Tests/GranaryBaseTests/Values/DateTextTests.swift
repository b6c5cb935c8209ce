import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct DateTextTests {
    private func parse(_ text: String) throws -> Double {
        var reader = DateTextReader()
        return try withBytes(text) { try reader.parse($0) }
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:01Z", 1), ("2000-12-31T23:59:59Z", -1),
        ("2001-01-01T00:00:00.25Z", 0.25), ("2000-12-31T23:59:59.25Z", -0.75), ("1970-01-01T00:00:00Z", -978_307_200),
        ("2026-07-29T14:30:00+02:00", 807_021_000), ("2001-01-01t00:00:00z", 0),
        ("2001-01-01 02:00:00+0200", 0), ("2001-01-01 00:00:00 +0000", 0), ("2001-01-01T00:00:00-00", 0),
        ("2000-12-31T16:00:00-08:00", 0), ("2001-01-01T00:00Z", 0), ("2001-01-01T00:30+00:30", 0),
        ("0000-12-30T00:00:00Z", -63_114_076_800), ("4001-01-01T00:00:00Z", 63_113_904_000),
        ("2004-02-29T00:00:00Z", 99_705_600), ("2000-02-29T00:00:00Z", -26_524_800),
        ("1600-02-29T12:00:00Z", -12_649_262_400),
        ("2001-01-01T00:00:00.100000000000000000000000Z", 0.1), ("1985-04-12T00:59:59.999999999999999Z", -496_191_600),
    ])
    func reads(text: String, seconds: Double) throws {
        #expect(try parse(text) == seconds)
    }

    @Test(arguments: [
        "", "2001", "2001-01-01T", "2001-01-01T00", "2001-01-01T00:00:0", "2001-01-01T00:00:00Zx", "20010101T000000Z",
        "2001-1-1T00:00:00Z", "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z",
        "2001-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2001-04-31T00:00:00Z", "2001-01-32T00:00:00Z", "2001-01-01T24:00:00Z",
        "2001-01-01T00:60:00Z",
        "2001-01-01T00:00:60Z", "2016-12-31T23:59:60Z", "2001-01-01T00:00:61Z", "2001-01-01T00:00:00.Z",
        "2001-01-01T00:00:00,5Z",
        "2001-01-01T00:00.5Z", "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+10:60", "2001-01-01T00:00:00+1",
        "2001-01-01T00:00:00+1:00", "2001-01-01T00:00:00 Z", "2001-01-01  00:00:00Z", "2001-01-01_00:00:00Z",
        "2001-W01-1T00:00:00Z",
        "2001-001T00:00:00Z", "+2001-01-01T00:00:00Z", " 2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z\n",
        "2001-01-01T00:00:00GMT",
        "200a-01-01T00:00:00Z", "2001-01-01Ta0:00:00Z", "2001-01-01T00:00:00.1+", "2001-01-01T00:00:00.", "01/02/2001",
        "2001/01/01T00:00:00Z",
        "2001-01-01T00:00:00", "2001-01-01", "2001-01-01T00:00:00.5", "2001-01-01 00:00:00  +0000",
        "2001-01-01 00:00:00 ",
    ])
    func refuses(text: String) {
        var reader = DateTextReader()
        #expect(refusal(text) { bytes throws(ValueTextError) in try reader.parse(bytes) } == .syntax)
    }

    @Test(arguments: ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"])
    func refusesRange(text: String) {
        var reader = DateTextReader()
        #expect(refusal(text) { bytes throws(ValueTextError) in try reader.parse(bytes) } == .range)
    }

    @Test(arguments: [
        ("2016-12-31T23:59:60Z", "a leap second, which a date cannot represent"),
        ("2001-02-29T00:00:00Z", "a day that the month does not have"),
        ("2001-01-01T00:00:00", "no time zone"), ("2001-01-01", "a date without a time, and no time zone is given"),
        ("yesterday", "not a date of the form YYYY-MM-DD"), ("2001-01-01T25:00:00Z", "an hour outside 00 to 23"),
        ("2001-01-01T00:00:00+9", "a zone that is not Z or ±HH:MM"),
    ])
    func saysWhatIsWrong(text: String, reason: String) {
        #expect(throws: ValueTextError.syntax(reason)) { try parse(text) }
    }

    @Test func saysWhatTheTextHas() throws {
        let full = try withBytes("2001-01-02T00:00:00+01:00") { try DateText.scan($0) }
        #expect(full.zone == .offset(3600) && !full.isDateOnly && full.seconds == 86_400)
        let zoneless = try withBytes("2001-01-02 00:00") { try DateText.scan($0) }
        #expect(zoneless.zone == .none && !zoneless.isDateOnly)
        let day = try withBytes("2001-01-02") { try DateText.scan($0) }
        #expect(day.zone == .none && day.isDateOnly && day.seconds == 86_400)
    }

    /// Where we differ from the suite on purpose: leap seconds cannot be stored, and an offset without minutes is
    /// unmistakable.
    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func jsonSchemaSuite() throws {
        let differences: Set = ["1998-12-31T23:59:60Z", "1998-12-31T15:59:60.123-08:00", "1985-04-12T23:20:50+01"]
        for (text, isValid) in try formatCases("date-time") {
            var reader = DateTextReader()
            let isAccepted = refusal(text) { bytes throws(ValueTextError) in try reader.parse(bytes) } == nil
            #expect(isAccepted == (isValid != differences.contains(text)), "\(text)")
        }
    }

    /// Every month of the calendar, its days counted by hand.
    @Test func everyMonthIsCountedOnce() throws {
        // The calendar repeats after 400 years.
        let days = try checkMonths(years: 0...2000)
        #expect(days == 366 + 5 * 146_097)
    }

    /// Checks the months of years that begin with the year 0.
    ///
    /// - Returns: their days.
    func checkMonths(years: ClosedRange<Int>) throws -> Int {
        var day = -730_851.0 * 86_400
        var output: [UInt8] = []
        for year in years {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in lengths.enumerated() {
                // The first and last of each month stand for the days between them.
                for date in [1, length] {
                    let text =
                        Self.padded(year, 4) + "-" + Self.padded(month + 1, 2) + "-" + Self.padded(date, 2)
                        + "T00:00:00Z"
                    let expected = day + Double(date - 1) * 86_400
                    let value = try parse(text)
                    if value != expected { Issue.record("\(text) is \(value), not \(expected)") }
                    output.removeAll(keepingCapacity: true)
                    let isPrinted = DateText.append(value, to: &output)
                    if !isPrinted || String(decoding: output, as: UTF8.self) != text {
                        Issue.record("\(value) is not printed as \(text)")
                    }
                }
                day += Double(length) * 86_400
            }
        }
        return Int(day / 86_400) + 730_851
    }

    @Test func agreesWithFoundation() throws {
        var generator = SeededGenerator(seed: 15)
        let twin = ISO8601DateFormatter()
        // Foundation's calendar is the Julian one before 1582-10-15; ISO 8601 knows only the Gregorian.
        for _ in 0..<2_000 {
            let date = Double.random(in: -13_197_600_000..<252_423_993_600, using: &generator).rounded(.down)
            let text = twin.string(from: Date(timeIntervalSinceReferenceDate: date))
            #expect(printed { _ = DateText.append(date, to: &$0) } == text)
            #expect(try parse(text) == date)
        }
    }

    @Test(arguments: [
        (0, "2001-01-01T00:00:00Z"), (-0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
        (-0.25, "2000-12-31T23:59:59.75Z"), (-978_307_200.001, "1969-12-31T23:59:59.999Z"),
        (1e-7, "2001-01-01T00:00:00.0000001Z"),
        (-1e-7, "2000-12-31T23:59:59.9999999Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
        (0.1, "2001-01-01T00:00:00.1Z"),
        (63_113_904_000, "4001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
        (807_021_000.123456, "2026-07-29T12:30:00.123456Z"),
    ])
    func prints(date: Double, text: String) throws {
        #expect(printed { _ = DateText.append(date, to: &$0) } == text)
        #expect(try parse(text) == date)
    }

    @Test(arguments: [252_423_993_600, -63_145_526_400.001, .infinity, -.infinity, .nan, 1e300])
    func printsNothingOutsideTheYears(date: Double) {
        var output: [UInt8] = [1]
        #expect(!DateText.append(date, to: &output))
        #expect(output == [1])
    }

    @Test func datesComeBack() throws { try Self.checkDates(count: 6_000) }

    static func checkDates(count: Int) throws {
        var generator = SeededGenerator(seed: 10)
        var output: [UInt8] = []
        var reader = DateTextReader()
        for round in 0..<count {
            let value: Double =
                switch round % 3 {
                case 0: Double.random(in: -63_145_526_400..<252_423_993_600, using: &generator)
                case 1: (Double.random(in: -2e9..<2e9, using: &generator) * 1000).rounded() / 1000
                // Any exponent below the range: fractions down to the smallest double.
                default: Double(bitPattern: generator.next() % (0x4200 << 48)) * (generator.next() & 1 == 0 ? 1 : -1)
                }
            output.removeAll(keepingCapacity: true)
            #expect(DateText.append(value, to: &output))
            let back = try output.withUnsafeBufferPointer { try reader.parse($0) }
            if back != value { Issue.record("\(value) is \(String(decoding: output, as: UTF8.self)), read as \(back)") }
        }
    }

    @Test func secondsForm() throws {
        var reader = DateTextReader(.seconds)
        #expect(try withBytes("-978307200.5") { try reader.parse($0) } == -978_307_200.5)
        #expect(refusal("2001-01-01T00:00:00Z") { bytes throws(ValueTextError) in try reader.parse(bytes) } == .syntax)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

@Suite struct DateTextLongTests {
    @Test func datesComeBack() throws { try DateTextTests.checkDates(count: 60_000) }

    @Test func everyMonthIsCountedOnce() throws {
        let days = try DateTextTests().checkMonths(years: 0...9999)
        #expect(days == 2_921_574 + 730_851)
    }
}
