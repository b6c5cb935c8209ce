package import GranaryBase
package import GranaryFormats

/// A source of one entity that says so: a file named after it, in a format that names none.
package final class EntityReader: RecordReader {
    private let source: any RecordReader
    package let entities: [String]

    package init(_ source: any RecordReader, entity: String) {
        self.source = source
        entities = [entity]
    }

    package var sourceName: String { source.sourceName }
    package var columns: [String] { source.columns }

    package func headerPosition(ofColumn index: Int?) -> SourcePosition? { source.headerPosition(ofColumn: index) }

    package func readHeader() throws(GranaryError) { try source.readHeader() }

    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try source.next(into: &record)
        record.entity = 0
        return outcome
    }
}
