/// How text formats write dates.
public enum DateStyle: String, Sendable, CaseIterable {
    /// `2026-07-29T14:30:00.25Z` (RFC 3339), UTC.
    case iso8601
    /// Seconds since 2001-01-01 00:00:00 UTC, as stores contain them.
    case seconds
}
