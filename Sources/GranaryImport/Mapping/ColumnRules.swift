import GranaryBase
import GranaryModel

/// The options of a column that change the text or number of a field.
///
/// It is a class so that parsers without such options are small.
final class ColumnRules: Sendable {
    let trims: Bool
    let enumeration: ReplacementTable?
    let words: BooleanWords?
    let scale: ExactDecimal?
    /// Nil for other types than numbers.
    let affixes: NumberAffixes?

    /// Returns nil if the options change no field.
    ///
    /// - Parameter column: the column's own options, which override the import's.
    init?(_ options: ImportOptions, _ column: ColumnOptions?, _ type: AttributeType) {
        var trueTexts = column?.trueTexts
        var falseTexts = column?.falseTexts
        if trueTexts == nil, falseTexts == nil, type == .boolean {
            (trueTexts, falseTexts) = (options.trueTexts, options.falseTexts)
        }
        let hasWords = trueTexts != nil || falseTexts != nil
        trims = column?.trims ?? options.trims
        let currencies = type.isNumeric ? column?.currencies ?? options.currencies : nil
        affixes = currencies.map { NumberAffixes($0) }
        guard trims || column?.enumeration != nil || hasWords || column?.scale != nil || affixes != nil else {
            return nil
        }
        enumeration = (column?.enumeration).map { ReplacementTable($0) }
        words = hasWords ? BooleanWords(trueTexts ?? [], falseTexts ?? []) : nil
        scale = column?.scale
    }

    /// Removes blanks and tabs at both ends.
    static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var start = 0
        var end = text.count
        while start < end, isBlank(text[start]) { start += 1 }
        while start < end, isBlank(text[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    /// The reason why a column of an attribute of this type cannot have these options; nil if it can.
    static func contradiction(in column: ColumnOptions, _ type: AttributeType) -> String? {
        if column.currencies != nil, !type.isNumeric { return "a currency, but this is \(type.phrase)" }
        if let scale = column.scale {
            guard type.isNumeric else { return "a scale is for numbers, and this is \(type.phrase)" }
            if scale == .zero { return "a scale of 0 makes every number 0" }
        }
        if column.trueTexts != nil || column.falseTexts != nil {
            guard type == .boolean else { return "words for true and false, but this is \(type.phrase)" }
            let words = BooleanWords(column.trueTexts ?? [], column.falseTexts ?? [])
            if words.trueTexts.isEmpty, words.falseTexts.isEmpty { return "no word means true or false" }
            if let word = words.contradiction { return "\"\(word)\" is both true and false" }
        }
        if column.dateFormats != nil, type != .date { return "a date format, but this is \(type.phrase)" }
        if column.timeZone != nil, type != .date { return "a time zone, but this is \(type.phrase)" }
        if column.binaryFormat != nil, type != .binary, type != .transformable {
            return "a format of binary data, but this is \(type.phrase)"
        }
        if let enumeration = column.enumeration, enumeration.isEmpty { return "the enumeration is empty" }
        return nil
    }
}

extension AttributeType {
    /// Whether values are written as numbers.
    var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        default: false
        }
    }
}
