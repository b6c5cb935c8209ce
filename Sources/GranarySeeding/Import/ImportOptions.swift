public import Foundation
import GranaryBase

/// How an ``Importer`` reads fields and what it does with them. Every option of `granary import` is here.
public struct ImportOptions: Sendable {
    /// What decides which object a relationship's field means.
    public enum Lookup: Sendable, Hashable {
        /// The value of this attribute of the destination.
        case attribute(String)
        /// `Entity/p1`, the `$id` of an object in the same import.
        case identifier
    }

    /// How dates are written.
    public enum DateFormat: Sendable, Hashable {
        /// ISO 8601 with a zone; without one only where ``ImportOptions/timeZone`` is given.
        case iso8601
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case seconds
        /// `yyyy MM dd HH mm ss SSS Z XXX` and literal text.
        case pattern(String)
    }

    /// How binary data is written in text.
    public enum BinaryFormat: String, Sendable, CaseIterable {
        /// RFC 4648, section 4, with its padding.
        case base64
        /// Two digits a byte, of either case.
        case hex
    }

    /// Unquoted fields with one of these texts are NULL. A quoted empty field is the empty text.
    public var nullTexts: [String] = [""]
    /// Which property a column is for; columns named like a property need none.
    public var columnMap: [String: String] = [:]
    /// Columns that are left alone. Any other column without a property is refused.
    public var ignoredColumns: Set<String> = []
    /// A text for a property of every row, read as a field would be.
    public var constants: [String: String] = [:]
    /// How relationships' fields are read; by the destination's uniqueness constraint where nothing is said, else by
    /// identifier.
    public var lookups: [String: Lookup] = [:]
    /// What stands between the keys of a to-many relationship in one field.
    public var listSeparator: UInt8 = UInt8(ascii: ";")
    /// Whether NULL in a required property with a default takes the default; otherwise it is refused.
    public var nullIsDefault = false
    /// Whether a Decimal may be stored that the store's column rounds.
    public var allowsRounding = false
    /// How dates are read; ISO 8601 by default.
    public var dateFormat = DateFormat.iso8601
    /// The zone of dates that name none.
    public var timeZone: TimeZone?
    /// How binary data is read; Base64 by default.
    public var binaryFormat = BinaryFormat.base64
    /// The byte before a number's fraction: ASCII, and no digit, letter or sign. A point by default.
    public var decimalSeparator: UInt8 = UInt8(ascii: ".")
    /// The byte between groups of three digits, other than the decimal separator; nil: numbers have no groups.
    public var groupSeparator: UInt8?
    /// How many diagnostics the report keeps; all are counted.
    public var diagnosticLimit = 10_000
    /// Whether everything is done but kept: the same code, taken back at the last step.
    public var isDryRun = false

    /// Strict reading: ISO 8601, Base64, no rounding, an unquoted empty field is NULL, and the import is kept.
    public init() {}
}
