import GranaryRecords

/// The texts that mean NULL in a column.
struct NullTexts {
    private let texts: [[UInt8]]
    /// Whether only the empty field is NULL, which is the usual case.
    private let isOnlyEmpty: Bool
    private let includesEmptyQuoted: Bool
    private let includesQuoted: Bool

    init(_ options: ImportOptions, _ column: ColumnOptions?) {
        let nulls = column?.nullTexts ?? options.nullTexts
        texts = nulls.map { Array($0.utf8) }
        isOnlyEmpty = nulls == [""]
        includesEmptyQuoted = options.emptyIsNull
        includesQuoted = options.nullQuoted
    }

    /// Whether no quoted field is NULL.
    var areUnquoted: Bool { !includesEmptyQuoted && !includesQuoted }

    /// Whether the empty field without quotes is NULL, and no other.
    var isPlain: Bool { isOnlyEmpty && areUnquoted }

    /// Whether a field without quotes is NULL.
    func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if isOnlyEmpty { return bytes.isEmpty }
        for text in texts where text.count == bytes.count && text.elementsEqual(bytes) { return true }
        return false
    }

    /// Whether a quoted field is NULL.
    func contains(quoted bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        includesEmptyQuoted && bytes.isEmpty || includesQuoted && contains(bytes)
    }
}
