public import GranaryFormats
public import Foundation
public import GranaryBase

/// The options of one column. Options that are nil have the value of ``ImportOptions``.
///
/// They apply in this order: ``trims``, ``nullTexts``, ``enumeration``, boolean words, number separators and formats,
/// ``scale``.
public struct ColumnOptions: Sendable, Hashable {
    /// Unquoted fields with one of these texts are NULL, compared byte by byte.
    public var nullTexts: [String]?
    /// The date formats, tried in order; only for a Date.
    public var dateFormats: [ImportOptions.DateFormat]?
    /// The time zone of dates without one; only for a Date.
    public var timeZone: TimeZone?
    /// The text form of binary data; only for Binary and Transformable attributes.
    public var binaryFormat: BinaryStyle?
    /// The character before the fraction of a number.
    public var decimalSeparator: Unicode.Scalar?
    /// The character between groups of three digits. If nil and the column's ``decimalSeparator`` is the import's group
    /// separator, numbers have no groups.
    public var groupSeparator: Unicode.Scalar?
    /// The texts that can stand before or behind a number, as in ``ImportOptions/currencies``; only for numbers.
    public var currencies: [String]?
    /// The words for true, compared byte by byte; only for a Boolean. If this or ``falseTexts`` is set, any other word
    /// is an error, including `true`, `yes` and `1`.
    public var trueTexts: [String]?
    /// The words for false, compared like ``trueTexts``.
    public var falseTexts: [String]?
    /// Whether spaces and tabs at both ends of a field, quoted or not, are removed.
    public var trims: Bool?
    /// The factor for numbers, such as 0.001 to read grams as kilograms. The product is computed exactly. It is rounded
    /// to the nearest value for Double and Float, and an error if another type cannot hold it exactly.
    public var scale: ExactDecimal?
    /// The texts in the source and their replacements, compared byte by byte. Other texts are errors.
    public var enumeration: [String: String]?

    /// The options of the import.
    public init() {}
}
