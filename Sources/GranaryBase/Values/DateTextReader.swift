package import Foundation

/// Reads the dates of one column or file: one form, and a zone for the texts that name none.
///
/// A value with a memory for the zone's offsets: keep one, and ask it for every field.
package struct DateTextReader {
    package enum Form: Sendable, Hashable {
        /// ``DateText``.
        case iso8601
        /// Seconds since 2001-01-01 00:00:00 UTC, as a number.
        case seconds
        case pattern(DatePattern)
    }

    private let form: Form
    private var clock: ZoneClock?

    /// - Parameter timeZone: where a text without a zone was written; nil refuses such texts, and dates alone.
    package init(_ form: Form = .iso8601, timeZone: TimeZone? = nil) {
        self.form = form
        clock = timeZone.map { ZoneClock($0) }
    }

    /// - Returns: seconds since 2001-01-01 00:00:00 UTC; a date alone is its midnight in the zone.
    package mutating func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Double {
        let wall: WallTime
        switch form {
        case .iso8601: wall = try DateText.scan(text)
        case .seconds: return try FloatingText.parse(text)
        case .pattern(let pattern): wall = try pattern.scan(text)
        }
        if case .offset(let offset) = wall.zone {
            return try wall.instant(utc: wall.seconds &- Int64(offset), of: text)
        }
        guard let utc = try clock?.utc(ofWall: wall.seconds) else {
            throw .syntax(wall.isDateOnly ? "a date without a time, and no time zone is given" : "no time zone")
        }
        return try wall.instant(utc: utc, of: text)
    }
}
