public import Foundation
public import GranaryBase
public import GranaryFormats
public import GranaryRecords

/// The options of an import job: how to read fields, match objects, and handle conflicts and missing objects.
public struct ImportOptions: Sendable {
    /// The way to find the object of a reference.
    public enum Lookup: Sendable, Hashable {
        /// By the value of this attribute of the destination.
        case attribute(String)
        /// By the values of these attributes of the destination, as a JSON array: `["Smith",7]`.
        case attributes([String])
        /// By the `$id` of an object in the same import, such as `Entity/p1`.
        case identifier
    }

    /// How to handle a row whose object exists.
    public enum ConflictPolicy: String, Sendable, CaseIterable {
        /// The row is rejected.
        case error
        /// The properties in the row are set; the others stay unchanged.
        case update
        /// The object stays unchanged, and the row counts as skipped.
        case skip
        /// As `update`, and attributes and to-one relationships that are not in the row are set to their default
        /// values.
        case replace
    }

    /// The maximum number of objects that pruning deletes.
    public enum PruneLimit: Sendable, Hashable {
        /// A number of objects.
        case count(Int)
        /// A percentage, from 0 to 100, of the objects of the entity and its subentities that were stored before the
        /// import.
        case percent(Double)
    }

    /// How to handle a reference to an object that does not exist.
    public enum MissingPolicy: String, Sendable, CaseIterable {
        /// The row is rejected.
        case error
        /// The reference is omitted.
        case null
        /// The object is created from its key and the default values. It is counted in ``ImportReport/madeByLookup``.
        case create
    }

    /// The format of dates.
    public typealias DateFormat = GranaryFormats.DateFormat

    /// The texts of unquoted fields that are NULL. A quoted empty field is the empty text.
    public var nullTexts: [String] = [""]
    /// Whether a quoted empty field is NULL too.
    public var emptyIsNull = false
    /// Whether ``nullTexts`` apply to quoted fields too.
    public var nullQuoted = false
    /// Whether spaces and tabs at both ends of a field, quoted or not, are removed.
    public var trims = false
    /// The words for true, compared byte for byte. If this or ``falseTexts`` is set, any other word is an error,
    /// including `true`, `yes` and `1`.
    public var trueTexts: [String]?
    /// The words for false, compared like ``trueTexts``.
    public var falseTexts: [String]?
    /// The properties of columns, by column name. Columns with the name of a property need no entry.
    ///
    /// Here and in the other options that name columns, properties or relationships, `Order.id` is the column `id` of the
    /// entity `Order` and its subentities, if a source has several entities or nested objects.
    ///
    /// In JSON and property lists a name can be a path through objects and lists: `contact.email`, `images.0.url`. The
    /// other members of such an object are columns too, such as `contact.phone`.
    public var columnMap: [String: String] = [:]
    /// Columns that are not imported. Any other column without a property is an error. With the name of an object or a
    /// list, everything inside it is ignored that has no property.
    public var ignoredColumns: Set<String> = []
    /// Whether all columns that cannot be imported are ignored.
    public var ignoresOtherColumns = false
    /// Whether a name in ``ignoredColumns`` that no source has is an error.
    package var checksIgnoredColumns = true
    /// The entity of the job; nil if its sources name their entities.
    var jobEntity: String?
    /// The constants that name the entity, so that its nested objects have them too.
    var entityConstants: Set<String> = []
    /// Whether ``key`` is that of the entity, also of its nested objects.
    var hasEntityKey = false
    /// Values for all rows, by property name. They are read as fields are.
    public var constants: [String: String] = [:]
    /// The lookups of relationships, by name. The default is the destination's uniqueness constraint, or the identifier
    /// if it has none.
    public var lookups: [String: Lookup] = [:]
    /// The byte between the keys of a to-many relationship in one field.
    public var listSeparator: UInt8 = UInt8(ascii: ";")
    /// Whether NULL in a required property is replaced by its default value; otherwise it is an error.
    public var nullIsDefault = false
    /// Whether Decimals that the store cannot hold exactly are rounded; otherwise they are errors. Decimals of more
    /// than 38 digits are always errors.
    public var allowsRounding = false
    /// The date formats, tried in order; ISO 8601 by default. A text that gives different instants in two formats is
    /// an error.
    public var dateFormats = [DateFormat.iso8601]
    /// The locale of month names, weekday names, AM and PM; nil for English.
    public var locale: Locale?
    /// The time zone of dates without one.
    public var timeZone: TimeZone?
    /// What to do with a local time that occurs twice or does not exist in its time zone.
    public var daylightSaving = DaylightSavingPolicy.error
    /// The text form of binary data; Base64 by default.
    public var binaryFormat = BinaryStyle.base64
    /// The character before the fraction of a number: a space or punctuation, not a digit, letter or sign; a point by
    /// default.
    public var decimalSeparator: Unicode.Scalar = "."
    /// The character between groups of three digits, other than the decimal separator, such as `"."`, U+00A0, U+202F or
    /// U+2019; nil if numbers have no groups.
    public var groupSeparator: Unicode.Scalar?
    /// Texts that can stand before or behind a number, such as `€` or `kg`, with or without a space. If it is not nil,
    /// also if it is empty, `(1.00)`, `1.00-` and a minus sign U+2212 are negative numbers too. Numbers of JSON and
    /// property lists have nothing around them.
    public var currencies: [String]?
    /// Whether a whole number can have a fraction of zeros, such as `12.00`; otherwise it is an error. `12.50` is
    /// an error in any case.
    public var allowsZeroFraction = false
    /// The natural key of rows: the attributes by which a row is matched with a stored object or another row. If nil,
    /// it is the entity's first uniqueness constraint with one attribute, or else the first with several. With
    /// ``ConflictPolicy/error`` the values must be unique.
    public var key: [String]?
    /// The natural keys of nested objects, by the name of the relationship that contains them, and those of entities, by
    /// their names. Without an entry, the key is the entity's uniqueness constraint. Nested objects with equal keys and equal values are one object; with
    /// equal keys and different values they are errors.
    public var nestedKeys: [String: [String]] = [:]
    /// How to handle a row whose object exists.
    public var onConflict = ConflictPolicy.error
    /// Whether rows that are equal in all columns that are read are one object. A repeated row counts as unchanged, or
    /// as skipped if ``onConflict`` is `skip`.
    public var mergesEqualRows = false
    /// How to handle references to objects that do not exist.
    public var onMissing = MissingPolicy.error
    /// Policies of single relationships, by name. They override ``onMissing``.
    public var missingPolicies: [String: MissingPolicy] = [:]
    /// Whether to delete stored objects of the entity that no row mentions, by their delete rules. If the job has no
    /// entity, these are the entities of its sources and records. Nothing is deleted if a record of the entity is
    /// rejected. Requires another ``onConflict`` than `error`.
    public var prunes = false
    /// The maximum number of objects that pruning deletes, including those that cascades delete. If it would delete
    /// more, the import is refused. If nil, the maximum is a tenth of the entity's stored objects, but at least 10. It applies to each
    /// entity alone.
    public var maximumPruned: PruneLimit?
    /// The to-many relationship whose links the sources contain: each record has the key of an object and the key of a
    /// linked object. Existing links stay.
    public var linkRelationship: String?
    /// Whether the sources are an export that is restored exactly into a store without objects.
    ///
    /// Each record must have its `$id`, and the object keeps the primary key in it. A value or a relationship that
    /// breaks a rule of the model is stored, and the broken rule is a warning. A reference to an object that no record
    /// has is stored too. Both ends of a one-to-one relationship are stored as their records have them. Values that
    /// their columns cannot hold and duplicates of unique values stay errors. Custom classes are not called.
    ///
    /// It applies to all jobs of a run, and excludes ``ImportRunOptions/Mode/keepGood`` and the options that find or
    /// change other objects.
    public var restoresAsIs = false
    /// Whether ``restoresAsIs`` accepts a part of an export, as comparisons do: records can lack their `$id`, and a
    /// reference by key to an object that no record has creates an object with only that key.
    package var restoresParts = false
    /// Whether restored objects give way, as in a comparison the objects of the other store: a record is left out if
    /// the import already has an object with its `$id` or with one of its unique values, and an object gets another
    /// primary key if the one in its `$id` is taken.
    package var yields = false
    /// What is appended to each `$id` and to each reference by `$id`, so that objects of two sources with one `$id` are
    /// two objects. Such objects get new primary keys.
    package var identifierSuffix: [UInt8] = []
    /// What happens to a value whose file is missing: a table with files of values contains only their paths.
    public var missingFiles = MissingFilePolicy.error
    /// The files of values that the source's columns name; nil if its columns contain the values.
    package var valueFiles: ValueFiles?
    /// The options that are set explicitly, even if to their defaults. A sidecar does not change them.
    package var given: SidecarOptions = []
    /// The options of single columns, by their names in the source.
    public var columnOptions: [String: ColumnOptions] = [:]

    /// Strict reading: ISO 8601, Base64, no rounding, an unquoted empty field is NULL, and stored objects are not
    /// changed.
    public init() {}
}
