package import GranaryBase
package import GranaryFormats

/// A reader from outside Granary. Its records are numbered, and their columns are checked.
final class CheckedReader: WrappingReader {
    let base: any RecordReader
    private var count = 0

    init(_ reader: any RecordReader) { base = reader }

    var entities: [String] { base.entities }

    /// Record by record, because records in chunks would not be checked.
    func nextChunk() throws(GranaryError) -> CSVChunk? { nil }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        if case .end = outcome { return .end }
        count += 1
        record.number = count
        let (columns, entities) = (base.columns.count, base.entities.count)
        if let field = record.fields.first(where: { !(0..<columns).contains(Int($0.column)) }) {
            throw GranaryError(
                .usage, "\(sourceName): record \(count) has a field of column \(field.column), and there are \(columns)"
            )
        }
        if Int(record.entity) >= entities {
            throw GranaryError(
                .usage, "\(sourceName): record \(count) is of entity \(record.entity), and there are \(entities)")
        }
        return outcome
    }
}

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
