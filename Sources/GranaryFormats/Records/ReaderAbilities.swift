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

/// The model's knowledge about a source's columns and members.
package struct ReaderHints {
    package let judge: (any FieldJudge)?
    package let guide: (any MemberGuide)?

    package init(judge: (any FieldJudge)? = nil, guide: (any MemberGuide)? = nil) {
        self.judge = judge
        self.guide = guide
    }
}

/// A reader that wraps another one.
package protocol WrappingReader: ReaderAbilities {
    var base: any RecordReader { get }
}

extension WrappingReader {
    package var sourceName: String { base.sourceName }
    package var columns: [String] { base.columns }
    package var source: ByteSource? { base.abilities?.source }
    package var nests: Bool { base.abilities?.nests ?? true }
    package var hasElements: Bool { base.abilities?.hasElements ?? false }
    package var dialect: CSVReader.Options? { base.abilities?.dialect }
    package var wrappedRecords: [WrappedRecords] { base.abilities?.wrappedRecords ?? [] }
    package var doubtfulBlankLines: Int { base.abilities?.doubtfulBlankLines ?? 0 }
    package func headerPosition(ofColumn index: Int?) -> SourcePosition? { base.headerPosition(ofColumn: index) }
    package func readHeader() throws(GranaryError) { try base.readHeader() }
    package func preamble() throws(GranaryError) -> CSVPreamble? { try base.abilities?.preamble() }
    package func take(_ hints: ReaderHints) { base.abilities?.take(hints) }
    package func nextChunk() throws(GranaryError) -> CSVChunk? { try base.abilities?.nextChunk() }
}
