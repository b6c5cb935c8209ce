public import GranaryFormats
public import Foundation
public import GranaryBase

/// How one column is read where it differs from the rest of the import; nil: as the import.
///
/// A field is taken in this order: blanks off (``trims``), NULL (``nullTexts``), ``enumeration``, boolean words, the
/// type's own text with its separators, ``scale``.
public struct ColumnOptions: Sendable, Hashable {
    /// Unquoted fields with one of these texts are NULL, compared byte by byte.
    public var nullTexts: [String]?
    /// The date formats, tried in order; only for a Date.
    public var dateFormats: [ImportOptions.DateFormat]?
    /// The zone of dates that name none; only for a Date.
    public var timeZone: TimeZone?
    /// How binary data is written; only for a Binary or a Transformable.
    public var binaryFormat: BinaryStyle?
    /// The byte before a number's fraction.
    public var decimalSeparator: UInt8?
    /// The byte between groups of three digits. A column whose decimal separator is the import's group separator has no
    /// groups unless it names their separator itself.
    public var groupSeparator: UInt8?
    /// The words for true, byte by byte; only for a Boolean. With them or ``falseTexts`` any other word is refused, also
    /// `true`, `yes` and `1`.
    public var trueTexts: [String]?
    /// The words for false, compared like ``trueTexts``.
    public var falseTexts: [String]?
    /// Whether spaces and tabs at both ends of a field, quoted or not, are removed.
    public var trims: Bool?
    /// What the number in the file is multiplied by, such as 0.001 for grams in a column of kilograms. The product is
    /// exact: one that the type does not hold exactly is refused, except that a Double or Float is the nearest to it.
    public var scale: ExactDecimal?
    /// A text in the file and the text that is read in its place; compared byte by byte. Others are refused.
    public var enumeration: [String: String]?

    /// As the rest of the import.
    public init() {}
}
