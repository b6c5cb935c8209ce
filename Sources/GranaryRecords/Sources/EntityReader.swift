package import GranaryBase
package import GranaryFormats

/// A reader that adds the entity to the records of a format without entities, for a file named after its entity.
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
