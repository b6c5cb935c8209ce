package import GranaryBase
package import GranaryFormats

/// A source of one entity that says so: a file named after it, in a format that names none.
package final class EntityReader: RecordReader {
    /// The source as it is.
    let base: any RecordReader
    package let entities: [String]

    package init(_ source: any RecordReader, entity: String) {
        base = source
        entities = [entity]
    }

    package var sourceName: String { base.sourceName }
    package var columns: [String] { base.columns }
    package var source: ByteSource? { base.source }

    package func headerPosition(ofColumn index: Int?) -> SourcePosition? { base.headerPosition(ofColumn: index) }

    package func readHeader() throws(GranaryError) { try base.readHeader() }

    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        record.entity = 0
        return outcome
    }
}
