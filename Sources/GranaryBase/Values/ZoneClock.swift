internal import Foundation

/// Converts local times of a time zone to instants.
///
/// A local time that does not exist or occurs twice is an error, unless the policy selects an instant. Foundation's
/// lookup of an offset is slow, so the offsets of days without a change on or around them are cached.
struct ZoneClock {
    private let zone: TimeZone
    private let policy: DaylightSavingPolicy
    /// A direct-mapped cache: the day in each slot, and its offset.
    private var days: [Int32]
    private var offsets: [Int32]

    /// The number of slots: 44 years of days, and a power of two.
    private static let slots = 16_384

    init(_ zone: TimeZone, _ policy: DaylightSavingPolicy = .error) {
        self.zone = zone
        self.policy = policy
        days = Array(repeating: .min, count: Self.slots)
        offsets = Array(repeating: 0, count: Self.slots)
    }

    /// - Parameter wall: seconds from 2001-01-01 00:00:00 on the zone's clocks.
    /// - Returns: seconds from 2001-01-01 00:00:00 UTC.
    mutating func utc(ofWall wall: Int64) throws(ValueTextError) -> Int64 {
        // Wall times come from four-digit years, so the day fits 32 bits.
        let day = Int32(truncatingIfNeeded: wall >= 0 ? wall / 86_400 : (wall &- 86_399) / 86_400)
        let slot = Int(truncatingIfNeeded: day) & (Self.slots &- 1)
        if days[slot] == day { return wall &- Int64(offsets[slot]) }

        // Every offset is less than a day, so all instants of the local day lie between these two.
        let midnight = Int64(day) * 86_400
        let before = offset(at: midnight - 86_400)
        let after = offset(at: midnight + 2 * 86_400)
        if before == after {
            days[slot] = day
            offsets[slot] = Int32(truncatingIfNeeded: before)
            return wall - before
        }
        return try utc(ofWall: wall, before: offset(at: wall - 86_400), after: offset(at: wall + 86_400))
    }

    /// Converts a local time near a change of the offset. One of the two offsets applies, or neither, or both.
    private func utc(ofWall wall: Int64, before: Int64, after: Int64) throws(ValueTextError) -> Int64 {
        if before == after { return wall - before }
        let isBefore = offset(at: wall - before) == before
        let isAfter = offset(at: wall - after) == after
        switch (isBefore, isAfter) {
        case (true, false): return wall - before
        case (false, true): return wall - after
        case (true, true):
            guard policy != .error else { throw .ambiguous("a time that occurs twice in \(zone.identifier)") }
        case (false, false):
            guard policy != .error else { throw .syntax("a time that does not exist in \(zone.identifier)") }
        }
        return policy == .earlier ? min(wall - before, wall - after) : max(wall - before, wall - after)
    }

    private func offset(at utc: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(utc))))
    }
}
