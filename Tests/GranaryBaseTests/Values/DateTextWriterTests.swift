import Foundation
import TestSupport
import Testing

@testable import GranaryBase

/// Dates as text in patterns and zones, compared with Foundation's formatter and with reading.
@Suite struct DateTextWriterTests {
    private static func text(
        _ date: Double, _ patterns: [String], _ zone: String?, locale: Locale? = nil
    ) throws -> (text: String, outcome: DateTextWriter.Outcome) {
        let forms = try patterns.map { DateTextReader.Form.pattern(try DatePattern($0, locale: locale)) }
        var writer = DateTextWriter(forms, timeZone: zone.flatMap { TimeZone(identifier: $0) })
        var bytes: [UInt8] = []
        let outcome = writer.append(date, to: &bytes)
        return (String(decoding: bytes, as: UTF8.self), outcome)
    }

    private static func seconds(_ text: String) throws -> Double {
        var reader = DateTextReader()
        return try Array(text.utf8).withUnsafeBufferPointer { try reader.parse($0) }
    }

    @Test(
        "Known dates",
        arguments: [
            (["dd.MM.yyyy"], "Europe/Berlin", "2024-02-28T23:00:00Z", "29.02.2024", true),
            (["dd.MM.yyyy"], "UTC", "2024-02-28T23:00:00Z", "28.02.2024", false),
            (["dd.MM.yyyy", "dd.MM.yyyy HH:mm"], "Europe/Berlin", "2024-07-01T12:30:00Z", "01.07.2024 14:30", true),
            (["M/d/yyyy h:mm a"], "America/New_York", "2024-01-01T05:05:00Z", "1/1/2024 12:05 AM", true),
            (
                ["EEE, d MMM yyyy HH:mm:ss XXX"], "Asia/Kolkata", "2024-06-05T00:00:00Z",
                "Wed, 5 Jun 2024 05:30:00 +05:30", true
            ),
            (["d. MMMM yyyy"], "UTC", "2024-09-05T00:00:00Z", "5. September 2024", true),
            (["yyyy-MM-dd HH:mm:ss.SSS"], "UTC", "1999-12-31T23:59:59.25Z", "1999-12-31 23:59:59.250", true),
            (["yyyy-MM-dd HH:mm VV"], "Europe/Berlin", "2024-07-01T12:30:00Z", "2024-07-01 14:30 Europe/Berlin", true),
            (["yyyy-MM-dd'T'HH:mm:ssX"], "UTC", "2024-07-01T12:30:00Z", "2024-07-01T12:30:00Z", true),
            // A year of two digits is read as 2024.
            (["dd.MM.yy"], "UTC", "1924-07-01T00:00:00Z", "01.07.24", false),
            // 02:30 occurs twice.
            (["dd.MM.yyyy HH:mm"], "Europe/Berlin", "2024-10-27T01:30:00Z", "27.10.2024 02:30", false),
            // It is nearer than the day, and both its instants are.
            (
                ["dd.MM.yyyy", "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss"], "Europe/Berlin", "2024-10-27T00:30:00Z",
                "27.10.2024 02:30", false
            ),
            (
                ["dd.MM.yyyy", "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss"], "Europe/Berlin", "2024-10-27T01:30:10Z",
                "27.10.2024 02:30:10", false
            ),
            (["dd.MM.yyyy HH:mm XXX"], "Europe/Berlin", "2024-10-27T01:30:00Z", "27.10.2024 02:30 +01:00", true),
            // The nearest time, and the day itself where a format has no time.
            (["dd.MM.yyyy HH:mm:ss.SSS"], "UTC", "2024-07-01T23:59:53.3699999Z", "01.07.2024 23:59:53.370", false),
            (["dd.MM.yyyy HH:mm"], "UTC", "2024-12-31T23:59:45Z", "01.01.2025 00:00", false),
            (["dd.MM.yyyy"], "UTC", "2024-07-01T23:59:53Z", "01.07.2024", false),
            // In the other format the text is another date.
            (["dd/MM/yyyy", "MM/dd/yyyy"], "UTC", "2024-03-04T00:00:00Z", "04/03/2024", false),
        ])
    func known(_ patterns: [String], _ zone: String, _ date: String, _ expected: String, _ isExact: Bool) throws {
        let (text, outcome) = try Self.text(Self.seconds(date), patterns, zone)
        #expect(text == expected)
        #expect((outcome == .exact(isNumber: false)) == isExact, "\(outcome)")
    }

    @Test("The reason is that of the text that is written") func reasons() throws {
        let patterns = ["dd.MM.yyyy", "dd.MM.yyyy HH:mm"]
        let twice = try Self.text(Self.seconds("2024-10-27T01:30:00Z"), patterns, "Europe/Berlin").outcome
        #expect(
            twice == .ambiguous("is ambiguous: a time that occurs twice in Europe/Berlin", form: 1), "\(twice)")
        let seconds = try Self.text(Self.seconds("2024-10-26T01:30:10Z"), patterns, "Europe/Berlin").outcome
        #expect(seconds == .rounded("does not contain the whole time"))
    }

    @Test("Random dates are written as Foundation writes them") func foundation() throws {
        var generator = SeededGenerator(seed: 11)
        let patterns = [
            "dd.MM.yyyy HH:mm:ss", "M/d/yyyy h:mm:ss a", "yyyy-MM-dd'T'HH:mm:ss.SSS", "EEEE, d MMMM yyyy HH:mm",
            "yyMMdd HHmmss", "yyyy-MM-dd HH:mm:ss XXX",
        ]
        let zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Chatham"]
        for pattern in patterns {
            for zone in zones {
                let formatter = DateFormatter()
                formatter.locale = Locale(identifier: "en_US_POSIX")
                formatter.timeZone = TimeZone(identifier: zone)
                formatter.dateFormat = pattern
                for _ in 0..<40 {
                    let date = Double(Int64.random(in: -900_000_000...2_000_000_000, using: &generator))
                    let (text, _) = try Self.text(date, [pattern], zone)
                    // Foundation leaves out the seconds; the text here is that of the nearest minute.
                    let unit = pattern.contains("ss") ? 1.0 : 60
                    let nearest = (date / unit).rounded(.toNearestOrEven) * unit
                    let isBetween = unit > 1 && (date / unit).truncatingRemainder(dividingBy: 1).magnitude == 0.5
                    let moment = isBetween ? (date / unit).rounded(.down) * unit : nearest
                    #expect(text == formatter.string(from: Date(timeIntervalSinceReferenceDate: moment)))
                }
            }
        }
    }

    @Test("What is exact reads back as the same date, what is not does not") func readsBack() throws {
        var generator = SeededGenerator(seed: 12)
        let lists = [["dd.MM.yyyy"], ["dd.MM.yyyy", "dd.MM.yyyy HH:mm:ss"], ["d/M/yy H:mm:ss.SSSSSS"]]
        var exact = 0
        for _ in 0..<600 {
            let whole = Double(Int64.random(in: -20_000...20_000, using: &generator)) * 43_200
            let date = whole + [0, 1, 0.25, 0.1].randomElement(using: &generator, or: 0)
            let patterns = lists.randomElement(using: &generator, or: [])
            let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
            let forms = try patterns.map { DateTextReader.Form.pattern(try DatePattern($0)) }
            var writer = DateTextWriter(forms, timeZone: zone)
            var bytes: [UInt8] = []
            let outcome = writer.append(date, to: &bytes)
            var reader = DateTextReader(forms, timeZone: zone)
            let found = try? bytes.withUnsafeBufferPointer { try reader.parse($0) }
            #expect((found == date) == (outcome == .exact(isNumber: false)), "\(date) \(bytes) \(outcome)")
            if found == date { exact += 1 }
        }
        #expect((100...500).contains(exact))
    }

    @Test("Numbers, ISO 8601 in a zone, and dates that no format holds") func otherForms() throws {
        func text(_ date: Double, _ form: DateTextReader.Form, _ zone: String? = nil) -> String? {
            var writer = DateTextWriter([form], timeZone: zone.flatMap { TimeZone(identifier: $0) })
            var bytes: [UInt8] = []
            if case .impossible = writer.append(date, to: &bytes) { return bytes.isEmpty ? nil : "bytes" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text(0, .unix(milliseconds: false)) == "978307200")
        #expect(text(0.25, .unix(milliseconds: true)) == "978307200250")
        #expect(text(0.25, .seconds) == "0.25")
        #expect(text(0, .iso8601) == "2001-01-01T00:00:00Z")
        #expect(text(0.5, .iso8601, "Europe/Berlin") == "2001-01-01T01:00:00.5+01:00")
        #expect(text(725_760_000.0 + 43_200, .serial(.from1900), "UTC") == "45292.5")
        #expect(text(725_760_000.0, .serial(.from1904), "UTC") == "43830")
        #expect(text(0.25, .dotNet) == "/Date(978307200250)/")
        #expect(text(1e15, .iso8601, "Europe/Berlin") == nil)
        #expect(text(1e15, .pattern(try DatePattern("dd.MM.yyyy")), "UTC") == nil)
        // An offset with seconds, before 1893, is written in UTC.
        #expect(text(-4_000_000_000, .iso8601, "Europe/Berlin") == "1874-03-31T16:53:20Z")
    }
}

extension Array {
    fileprivate func randomElement(using generator: inout some RandomNumberGenerator, or other: Element) -> Element {
        randomElement(using: &generator) ?? other
    }
}
