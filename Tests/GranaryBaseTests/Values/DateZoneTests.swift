import Foundation
import GranaryBase
import TestSupport
import Testing

/// Texts without a zone, read in one.
@Suite struct DateZoneTests {
    @Test(arguments: [
        ("Europe/Berlin", "2026-07-29T14:30:00", "2026-07-29T12:30:00Z"),
        ("Europe/Berlin", "2026-01-29 14:30", "2026-01-29T13:30:00Z"),
        ("Europe/Berlin", "2026-07-29", "2026-07-28T22:00:00Z"),
        ("America/New_York", "2026-01-01", "2026-01-01T05:00:00Z"),
        ("Asia/Kolkata", "2026-01-01T05:30:00.5", "2026-01-01T00:00:00.5Z"),
        ("GMT", "2026-01-01", "2026-01-01T00:00:00Z"),
        // The minutes beside a change belong to one side each.
        ("Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T00:59:59Z"),
        ("Europe/Berlin", "2026-03-29T03:00:00", "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "2026-10-25T01:59:59", "2026-10-24T23:59:59Z"),
        ("Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00Z"),
        ("Pacific/Apia", "2011-12-29T12:00:00", "2011-12-29T22:00:00Z"),
        ("Pacific/Apia", "2011-12-31T12:00:00", "2011-12-30T22:00:00Z"),
        // What the text says itself goes before the zone that is given.
        ("Europe/Berlin", "2026-03-29T02:30:00Z", "2026-03-29T02:30:00Z"),
    ])
    func reads(zone: String, text: String, instant: String) throws {
        let zone: TimeZone = try #require(TimeZone(identifier: zone))
        var reader = DateTextReader(timeZone: zone)
        let value = try withBytes(text) { try reader.parse($0) }
        #expect(printed { _ = DateText.append(value, to: &$0) } == instant)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29T02:00:00", "a time that does not exist in Europe/Berlin"),
        ("Europe/Berlin", "2026-03-29T02:59:59", "a time that does not exist in Europe/Berlin"),
        ("Europe/Berlin", "2026-10-25T02:00:00", "a time that occurs twice in Europe/Berlin"),
        ("Europe/Berlin", "2026-10-25T02:59:59.9", "a time that occurs twice in Europe/Berlin"),
        ("Pacific/Apia", "2011-12-30T12:00:00", "a time that does not exist in Pacific/Apia"),
        ("America/Sao_Paulo", "2018-11-04", "a time that does not exist in America/Sao_Paulo"),
        ("Australia/Lord_Howe", "2026-04-05T01:45:00", "a time that occurs twice in Australia/Lord_Howe"),
    ])
    func refuses(zone: String, text: String, reason: String) throws {
        let zone: TimeZone = try #require(TimeZone(identifier: zone))
        var reader = DateTextReader(timeZone: zone)
        let expected = reason.contains("twice") ? ValueTextError.ambiguous(reason) : .syntax(reason)
        #expect(throws: expected) { try withBytes(text) { try reader.parse($0) } }
    }

    /// The same instants as `Temporal.ZonedDateTime.from(…, { disambiguation })`.
    @Test(arguments: [
        ("2026-03-29T02:30:00", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"),
        ("2026-10-25T02:30:00", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
        ("2026-10-25T12:30:00", "2026-10-25T11:30:00Z", "2026-10-25T11:30:00Z"),
    ])
    func chooses(text: String, earlier: String, later: String) throws {
        let zone: TimeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        for (policy, instant) in [(DaylightSavingPolicy.earlier, earlier), (.later, later)] {
            var reader = DateTextReader([.iso8601], timeZone: zone, policy: policy)
            let value = try withBytes(text) { try reader.parse($0) }
            #expect(printed { _ = DateText.append(value, to: &$0) } == instant)
        }
    }

    /// Twenty years of quarter hours in random order: each wall time that an instant shows is read as that instant.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu",
    ])
    func agreesWithFoundation(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        var reader = DateTextReader(timeZone: zone)
        var generator = SeededGenerator(seed: 11)
        var refused = 0
        for _ in 0..<5_000 {
            let instant = Double(generator.next() % (20 * 366 * 96)) * 900
            let wall = instant + Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: instant)))
            let text = String(printed { _ = DateText.append(wall, to: &$0) }.dropLast())
            do {
                let value = try withBytes(text) { try reader.parse($0) }
                if value != instant { Issue.record("\(text) is \(value), not \(instant)") }
            } catch ValueTextError.ambiguous(let reason) {
                #expect(reason.hasPrefix("a time that occurs twice"))
                refused += 1
            }
        }
        // An hour a year is had twice, so very few of the times are.
        #expect(refused < 10)
    }
}
