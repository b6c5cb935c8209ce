package import GranaryBase

/// What a reader can do besides reading record by record. Readers that stand around another one hand its abilities on.
package protocol ReaderAbilities: RecordReader {
    /// The bytes that it reads; nil if they cannot be watched.
    var source: ByteSource? { get }
    /// Whether records may have objects nested in them.
    var nests: Bool { get }
    /// Whether values are elements of a property list; messages then name them.
    var hasElements: Bool { get }
    /// How delimited text is read; nil for other formats.
    var dialect: CSVReader.Options? { get }
    /// How many blank lines were passed over that might be meant as records of one empty field.
    var doubtfulBlankLines: Int { get }

    /// What stands before the records of delimited text; nil for other formats. Called behind the header.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    func preamble() throws(GranaryError) -> CSVPreamble?

    /// Takes what the model says about columns and members. Called behind the header, before the first record.
    func take(_ hints: ReaderHints)

    /// The regular records that come next; nil where ``RecordReader/next(into:)`` has to read the next one.
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
    package func preamble() throws(GranaryError) -> CSVPreamble? { nil }
    package func take(_ hints: ReaderHints) {}
    package func nextChunk() throws(GranaryError) -> CSVChunk? { nil }
}

extension RecordReader {
    /// Nil for a reader that can only read record by record.
    package var abilities: (any ReaderAbilities)? { self as? any ReaderAbilities }
}

/// What the model says about a source's columns and members.
package struct ReaderHints {
    package let judge: (any FieldJudge)?
    package let guide: (any MemberGuide)?

    package init(judge: (any FieldJudge)? = nil, guide: (any MemberGuide)? = nil) {
        self.judge = judge
        self.guide = guide
    }
}

/// A reader that stands around another one.
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
    package var doubtfulBlankLines: Int { base.abilities?.doubtfulBlankLines ?? 0 }
    package func headerPosition(ofColumn index: Int?) -> SourcePosition? { base.headerPosition(ofColumn: index) }
    package func readHeader() throws(GranaryError) { try base.readHeader() }
    package func preamble() throws(GranaryError) -> CSVPreamble? { try base.abilities?.preamble() }
    package func take(_ hints: ReaderHints) { base.abilities?.take(hints) }
    package func nextChunk() throws(GranaryError) -> CSVChunk? { try base.abilities?.nextChunk() }
}
