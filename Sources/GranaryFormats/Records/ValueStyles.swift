/// How text formats write dates.
public enum DateStyle: String, Sendable, CaseIterable {
    /// `2026-07-29T14:30:00.25Z` (RFC 3339), UTC.
    case iso8601
    /// Seconds since 2001-01-01 00:00:00 UTC, as stores contain them.
    case seconds
}

/// How text contains binary data.
public enum BinaryStyle: String, Sendable, CaseIterable {
    /// RFC 4648, section 4, with its padding.
    case base64
    /// Two digits a byte, written in lower case and read in either case.
    case hex
}

/// The form of a property list.
public enum PropertyListEncoding: String, Sendable, CaseIterable {
    /// An XML document.
    case xml
    /// Apple's binary format.
    case binary
}

/// How a blank line is read in a CSV file of one column.
public enum BlankLines: String, Sendable, CaseIterable {
    /// Skip the line and count it.
    case skip
    /// Read a record whose field is NULL.
    case null
}
