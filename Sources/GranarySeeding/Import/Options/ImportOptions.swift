public import GranaryFormats
public import Foundation
public import GranaryBase

/// How an ``Importer`` reads fields and what it does with them. Every option of `granary import` is here.
public struct ImportOptions: Sendable {
    /// What decides which object a relationship's field means.
    public enum Lookup: Sendable, Hashable {
        /// The value of this attribute of the destination.
        case attribute(String)
        /// The values of these attributes of the destination, as a JSON array: `["Smith",7]`.
        case attributes([String])
        /// `Entity/p1`, the `$id` of an object in the same import.
        case identifier
    }

    /// What is done with a row whose object the store has already.
    public enum ConflictPolicy: String, Sendable, CaseIterable {
        /// The row is refused.
        case error
        /// The properties that the row has are set; the others stay as they are.
        case update
        /// The object stays as it is, and the row counts as skipped.
        case skip
        /// As `update`, and attributes and to-ones that the row does not have take their defaults.
        case replace
    }

    /// How many objects may be deleted by pruning.
    public enum PruneLimit: Sendable, Hashable {
        /// A number of objects.
        case count(Int)
        /// A percentage, from 0 to 100, of the objects of the entity and its subentities that were stored before the import.
        case percent(Double)
    }

    /// What is done with a reference to an object that does not exist.
    public enum MissingPolicy: String, Sendable, CaseIterable {
        /// The row is refused.
        case error
        /// The reference is left out.
        case null
        /// The object is made of its key and its entity's defaults. It counts apart from the rows.
        case create
    }

    /// How dates are written.
    public enum DateFormat: Sendable, Hashable {
        /// ISO 8601 with a zone; without one only where ``ImportOptions/timeZone`` is given.
        case iso8601
        /// Seconds since 2001-01-01 00:00:00 UTC, as Core Data stores them.
        case seconds
        /// Seconds since 1970-01-01 00:00:00 UTC.
        case unix
        /// Milliseconds since 1970-01-01 00:00:00 UTC.
        case unixMilliseconds
        /// A Unicode date pattern (UTS 35) such as `d.M.yyyy HH:mm`; docs/cli.md lists the letters.
        case pattern(String)
    }

    /// Unquoted fields with one of these texts are NULL. A quoted empty field is the empty text.
    public var nullTexts: [String] = [""]
    /// Whether a quoted empty field is read as NULL too.
    public var emptyIsNull = false
    /// Whether ``nullTexts`` apply to quoted fields too.
    public var nullQuoted = false
    /// Whether spaces and tabs at both ends of a field, quoted or not, are removed.
    public var trims = false
    /// The words for true, compared byte for byte. If this or ``falseTexts`` is set, any other word is refused, including
    /// `true`, `yes` and `1`.
    public var trueTexts: [String]?
    /// The words for false, compared like ``trueTexts``.
    public var falseTexts: [String]?
    /// Which property a column is for; columns named like a property need none.
    public var columnMap: [String: String] = [:]
    /// Columns that are left alone. Any other column without a property is refused.
    public var ignoredColumns: Set<String> = []
    /// Whether a name in ``ignoredColumns`` that no source has is an error.
    package var checksIgnoredColumns = true
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
    /// The date formats, tried in order; ISO 8601 by default. A text that gives different instants in two formats is refused.
    public var dateFormats = [DateFormat.iso8601]
    /// The locale of the names of months and weekdays and of AM and PM; English by default.
    public var locale: Locale?
    /// The zone of dates that name none.
    public var timeZone: TimeZone?
    /// What to do with a local time that occurs twice or does not exist in its time zone.
    public var daylightSaving = DaylightSavingPolicy.error
    /// How binary data is read; Base64 by default.
    public var binaryFormat = BinaryStyle.base64
    /// The byte before a number's fraction: ASCII, and no digit, letter or sign. A point by default.
    public var decimalSeparator: UInt8 = UInt8(ascii: ".")
    /// The byte between groups of three digits, other than the decimal separator; nil: numbers have no groups.
    public var groupSeparator: UInt8?
    /// The attributes that make a row the same object as one in the store or another row; nil: those of the entity's first
    /// uniqueness constraint over one attribute, else of the first over several. With ``ConflictPolicy/error`` what they say
    /// must be unique.
    public var key: [String]?
    /// The natural keys of nested objects, by the name of the relationship that contains them. Without an entry, the key is the
    /// entity's uniqueness constraint. Nested objects with equal keys and equal values are one object; with equal keys and
    /// different values they are refused.
    public var nestedKeys: [String: [String]] = [:]
    /// What is done with a row whose object the store has already.
    public var onConflict = ConflictPolicy.error
    /// What is done with references to objects that do not exist.
    public var onMissing = MissingPolicy.error
    /// What is done with them in single relationships; goes before ``onMissing``.
    public var missingPolicies: [String: MissingPolicy] = [:]
    /// Whether objects of the entity that no row speaks of are deleted, by their delete rules. Not while a record of the
    /// job is rejected, and only with another ``onConflict`` than `error`.
    public var prunes = false
    /// How many objects pruning may delete, including those that cascades delete. If it would delete more, the import is
    /// refused. Nil: a tenth of the entity's stored objects, but at least 10.
    public var maximumPruned: PruneLimit?
    /// The to-many relationship that the sources are links of: a record has the key of an object and one of those it is
    /// linked to. Links that are there stay.
    public var linkRelationship: String?
    /// How single columns are read, by their names in the source, where it differs from the rest.
    public var columnOptions: [String: ColumnOptions] = [:]

    /// Strict reading: ISO 8601, Base64, no rounding, an unquoted empty field is NULL, and nothing stored is changed.
    public init() {}
}
