package import GranaryBase
package import GranaryFormats

/// A source of one entity that says so: a file named after it, in a format that names none.
package final class EntityReader: WrappingReader {
    package let base: any RecordReader
    package let entities: [String]

    package init(_ source: any RecordReader, entity: String) {
        base = source
        entities = [entity]
    }

    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        record.entity = 0
        return outcome
    }
}
