package import GranaryBase

/// Removes the apostrophes that ``CSVWriter`` adds to fields for spreadsheets. A field with an apostrophe is never
/// NULL.
package final class SpreadsheetReader: WrappingReader {
    package let base: any RecordReader

    package init(_ reader: any RecordReader) { base = reader }

    package var entities: [String] { base.entities }

    /// Returns no chunks, because the fields of chunks would not be changed.
    package func nextChunk() throws(GranaryError) -> CSVChunk? { nil }

    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        let outcome = try base.next(into: &record)
        if case .end = outcome { return outcome }
        for index in record.fields.indices {
            let field = record.fields[index]
            guard field.kind == .text || field.kind == .quoted, field.start < field.end,
                record.bytes.indices.contains(Int(field.start)),
                record.bytes[Int(field.start)] == SpreadsheetText.mark
            else { continue }
            record.fields[index].start += 1
            record.fields[index].kind = .quoted
        }
        return outcome
    }
}
