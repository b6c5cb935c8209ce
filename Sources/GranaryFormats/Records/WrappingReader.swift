package import GranaryBase

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
