package import GranaryBase

/// Optional capabilities of a reader. Wrapping readers forward those of the reader that they wrap.
package protocol ReaderAbilities: RecordReader {
    /// The bytes that it reads; nil if they cannot be observed.
    var source: ByteSource? { get }
    /// Whether records may have objects nested in them.
    var nests: Bool { get }
    /// Whether values are property-list elements, which messages then name.
    var hasElements: Bool { get }
    /// How delimited text is read; nil for other formats.
    var dialect: CSVReader.Options? { get }
    /// For a document that is one object: the places in it of objects that could be records.
    var wrappedRecords: [WrappedRecords] { get }
    /// The number of skipped blank lines that could have been records of one empty field.
    var doubtfulBlankLines: Int { get }

    /// The part of delimited text before the records; nil for other formats. Call after ``RecordReader/readHeader()``.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    func preamble() throws(GranaryError) -> CSVPreamble?

    /// Sets the model's knowledge about columns and members. Call after the header, before the first record.
    func take(_ hints: ReaderHints)

    /// The next regular records; nil if ``RecordReader/next(into:)`` must read the next record.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    func nextChunk() throws(GranaryError) -> CSVChunk?
}

extension ReaderAbilities {
    package var source: ByteSource? { nil }
    package var nests: Bool { false }
    package var hasElements: Bool { false }
    package var dialect: CSVReader.Options? { nil }
    package var doubtfulBlankLines: Int { 0 }
    package var wrappedRecords: [WrappedRecords] { [] }
    package func preamble() throws(GranaryError) -> CSVPreamble? { nil }
    package func take(_ hints: ReaderHints) {}
    package func nextChunk() throws(GranaryError) -> CSVChunk? { nil }
}

extension RecordReader {
    /// Nil for a reader that can only read record by record.
    package var abilities: (any ReaderAbilities)? { self as? any ReaderAbilities }
}
