package import GranaryBase
package import GranaryFormats

/// A reader of an implementation outside Granary. It numbers the records and checks their columns.
package final class CheckedReader: WrappingReader {
    package let base: any RecordReader
    private var count = 0

    init(_ reader: any RecordReader) { base = reader }

    package var entities: [String] { base.entities }

    /// Returns no chunks, because the records of chunks would not be checked.
    package func nextChunk() throws(GranaryError) -> CSVChunk? { nil }

    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        if case .end = outcome { return .end }
        count += 1
        record.number = count
        let (columns, entities) = (base.columns.count, base.entities.count)
        if let field = record.fields.first(where: { !(0..<columns).contains(Int($0.column)) }) {
            throw GranaryError(
                .usage,
                "\(sourceName): record \(count) has a field in column \(field.column), and the number of columns is "
                    + "\(columns)")
        }
        if Int(record.entity) >= entities {
            throw GranaryError(
                .usage,
                "\(sourceName): record \(count) has the entity \(record.entity), and the number of entities is "
                    + "\(entities)")
        }
        return outcome
    }
}
