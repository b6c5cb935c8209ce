package import Foundation

/// Parses the dates of one column: one or several date formats, and a time zone for texts that name none.
///
/// The reader caches the offsets of time zones. Keep one reader and use it for every field.
package struct DateTextReader {
    package enum Form: Sendable, Hashable {
        /// ``DateText``.
        case iso8601
        /// Seconds since 2001-01-01 00:00:00 UTC, as a number.
        case seconds
        /// A number of seconds or milliseconds since 1970-01-01 00:00:00 UTC.
        case unix(milliseconds: Bool)
        case pattern(DatePattern)
        /// A number of days, as a spreadsheet stores a date.
        case serial(SerialDate)
        /// `/Date(1198908717056)/`: milliseconds since 1970, as ASP.NET writes them into JSON.
        case dotNet
    }

    private let forms: [Form]
    private var policy: DaylightSavingPolicy
    private let timeZone: TimeZone?
    private var clock: ZoneClock?
    /// The clocks of the zones named in texts; nil for an unknown name.
    private var namedClocks: [String: ZoneClock?] = [:]

    /// The seconds from 1970-01-01 to 2001-01-01.
    private static let unixEpoch: Int128 = 978_307_200
    /// The maximum size of the cache. Without it, many unknown names could fill memory.
    private static let clockLimit = 1000

    /// - Parameters:
    ///   - forms: the date formats, tried in order. A text with different instants in two formats is refused.
    ///   - timeZone: the zone of texts that name none; if it is nil, such texts and dates without a time are refused.
    ///   - policy: what to do with a local time that occurs twice or does not exist in its time zone.
    package init(_ forms: [Form], timeZone: TimeZone? = nil, policy: DaylightSavingPolicy = .error) {
        self.forms = forms
        self.policy = policy
        self.timeZone = timeZone
        clock = timeZone.map { ZoneClock($0, policy) }
    }

    package init(_ form: Form = .iso8601, timeZone: TimeZone? = nil) { self.init([form], timeZone: timeZone) }

    /// - Returns: seconds since 2001-01-01 00:00:00 UTC. A date without a time is midnight in the zone.
    package mutating func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Double {
        if forms.count == 1 { return try parse(text, forms[0]) }
        var found: Double?
        var failure: ValueTextError?
        for form in forms {
            do throws(ValueTextError) {
                let value = try parse(text, form)
                if let found, found != value {
                    throw .ambiguous("\(DateText.text(found)) in one date format, \(DateText.text(value)) in another")
                }
                found = value
            } catch {
                // A text that is ambiguous in one format is refused, even if another format gives one instant.
                if case .ambiguous = error { throw error }
                if failure == nil || failure == DatePattern.mismatch { failure = error }
            }
        }
        guard let found else {
            throw failure == DatePattern.mismatch
                ? .syntax("not in any of the date formats") : failure ?? DatePattern.mismatch
        }
        return found
    }

    /// Whether the text is a valid date with another time zone or policy. A diagnostic's help can then suggest it.
    package func reads(
        _ text: UnsafeBufferPointer<UInt8>, timeZone: TimeZone? = nil, policy: DaylightSavingPolicy? = nil
    ) -> Bool {
        var other = DateTextReader(forms, timeZone: timeZone ?? self.timeZone, policy: policy ?? self.policy)
        return (try? other.parse(text)) != nil
    }

    private mutating func parse(_ text: UnsafeBufferPointer<UInt8>, _ form: Form) throws(ValueTextError) -> Double {
        let wall: WallTime
        switch form {
        case .iso8601: wall = try DateText.scan(text)
        case .seconds: return try FloatingText.parse(text)
        case .unix(let isMilliseconds): return try Self.unix(text, isMilliseconds: isMilliseconds)
        case .pattern(let pattern): wall = try pattern.scan(text)
        case .serial(let serial):
            let wall = try serial.milliseconds(text)
            let (seconds, rest) = wall.flooredQuotientAndRemainder(dividingBy: 1000)
            guard let utc = try clock?.utc(ofWall: seconds) else { throw .syntax("no time zone") }
            guard utc >= CivilDate.firstSecond, utc < CivilDate.endSecond else {
                throw .range("a date outside the years 0000 to 9999")
            }
            // Both numbers are exact, so the result is rounded once.
            return Double(utc &* 1000 &+ rest) / 1000
        case .dotNet: return try Self.unix(DotNetDate.number(in: text), isMilliseconds: true)
        }
        switch wall.zone {
        case .offset(let offset): return try wall.instant(utc: wall.seconds &- Int64(offset), of: text)
        case .named(let name):
            let name = String(decoding: UnsafeBufferPointer(rebasing: text[name]), as: UTF8.self)
            return try wall.instant(utc: try utc(ofWall: wall.seconds, in: name), of: text)
        case .none:
            guard let utc = try clock?.utc(ofWall: wall.seconds) else {
                throw .syntax(wall.isDateOnly ? "a date without a time, and no time zone is given" : "no time zone")
            }
            return try wall.instant(utc: utc, of: text)
        }
    }

    private mutating func utc(ofWall wall: Int64, in name: String) throws(ValueTextError) -> Int64 {
        if namedClocks.count >= Self.clockLimit { namedClocks.removeAll() }
        let clock = namedClocks[name] ?? TimeZone(listed: name).map { ZoneClock($0, policy) }
        guard var clock else {
            namedClocks[name] = .some(nil)
            throw .syntax("a time zone that is not in the IANA list")
        }
        // Removing the clock from the dictionary avoids a copy of its cache.
        namedClocks[name] = nil
        defer { namedClocks[name] = clock }
        return try clock.utc(ofWall: wall)
    }

    /// Parses a number of seconds or milliseconds since 1970. The subtraction is done in decimals, so that the result
    /// is rounded only once.
    private static func unix(
        _ text: UnsafeBufferPointer<UInt8>, isMilliseconds: Bool
    ) throws(ValueTextError) -> Double {
        let number = try DecimalText.parse(text)
        let exponent = Int(number.exponent) - (isMilliseconds ? 3 : 0)
        // Larger exponents are far outside the years 0000 to 9999; smaller ones have more digits than a date can hold.
        guard exponent <= 12 else { throw .range("a date outside the years 0000 to 9999") }
        guard exponent >= -18, number.mantissa < UInt128(1) << 80 else {
            throw .precision("more digits than a date holds")
        }
        var mantissa = Int128(number.mantissa) * (number.isNegative ? -1 : 1)
        var scale: Int128 = 1
        for _ in 0..<max(0, exponent) { mantissa *= 10 }
        for _ in 0..<max(0, -exponent) { scale *= 10 }
        let difference = mantissa - unixEpoch * scale
        let seconds = Double(difference / scale)
        guard seconds >= Double(CivilDate.firstSecond), seconds < Double(CivilDate.endSecond) else {
            throw .range("a date outside the years 0000 to 9999")
        }
        let exact = ExactDecimal(
            isNegative: difference < 0, mantissa: difference.magnitude, exponent: min(0, exponent))
        return exact?.nearestDouble ?? seconds
    }
}

extension TimeZone {
    /// The zone with an IANA name; nil for abbreviations and other names that Foundation accepts.
    package init?(listed name: String) {
        guard name == "UTC" || name == "GMT" || name.contains("/") || TimeZone.knownTimeZoneIdentifiers.contains(name),
            let zone = TimeZone(identifier: name)
        else { return nil }
        self = zone
    }
}
