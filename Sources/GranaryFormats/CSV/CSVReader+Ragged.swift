import GranaryBase

/// The diagnostics for rows with too few or too many fields.
extension CSVReader {
    /// The maximum number of rows that are examined; a file with more such rows is malformed as a whole.
    private static let maximumRaggedReadings = 10_000

    /// The diagnostic for a record with a wrong number of fields.
    func raggedRecord(_ record: Record) -> Diagnostic {
        let found = record.fields.count
        let expected = columns.count
        let origin =
            options.hasHeader ? "the header" : options.columns == nil ? "the first record" : "the list of columns"
        let fields = found == 1 ? "1 field" : "\(found) fields"
        let message =
            found < expected
            ? "the record has \(found) of \(expected) columns; "
            : "the record has \(fields), \(origin) has \(expected); "
        let broken = brokenField(record)
        // Too many fields: the position of the first field without a column. Too few: the end of the record.
        let index = broken?.field ?? min(found, expected)
        let offset = record.fields.indices.contains(index) ? Int(record.fields[index].rawStart) : record.raw.count
        let hint = found > expected ? "quote a field that holds the delimiter" : addDelimiter
        return Diagnostic(
            .csvRagged, message + (broken?.hint ?? hint), at: position(offset, in: record),
            field: index < expected ? columns[index] : nil, value: broken?.value)
    }

    /// The probable mistake and its correction; nil if the columns' types give no answer.
    private func brokenField(_ record: Record) -> (field: Int, hint: String, value: String)? {
        guard let judge, raggedReadings < Self.maximumRaggedReadings else { return nil }
        raggedReadings += 1
        guard
            let reading = RaggedReading(record, width: columns.count, delimiter: options.delimiter, judge: judge)
        else { return nil }
        switch reading.repair {
        case .split(let index, let count)?:
            let value = text(of: record.fields[index], in: record)
            let start = Int(record.fields[index].start)
            let before = shortened(record.bytes[start..<start + count])
            let hint =
                index == reading.rejected
                ? "field \(index + 1) \"\(value)\" does not fit its column; with a delimiter after \"\(before)\""
                : "with a delimiter after \"\(before)\" in field \(index + 1)"
            return (index, hint + " the row would fit", value)
        case .join(let index)?:
            let value = shortened(reading.joined(index)[...])
            return (index, "fields \(index + 1) and \(index + 2) joined (\"\(value)\") would fit: quote them", value)
        case .drop(let index)?:
            return (index, "without the empty field \(index + 1) the row would fit", "")
        case nil:
            guard record.fields.count < columns.count, let index = reading.rejected else { return nil }
            let value = text(of: record.fields[index], in: record)
            return (index, "field \(index + 1) \"\(value)\" does not fit its column: \(addDelimiter)", value)
        }
    }

    /// The correction of a record with too few fields. A missing field has a delimiter although it is empty.
    private var addDelimiter: String {
        "add the missing \"\(Diagnostic.shortened(String(UnicodeScalar(options.delimiter))))\""
    }

    private func text(of field: Record.Field, in record: Record) -> String {
        shortened(record.bytes[field.range])
    }

    private func shortened(_ bytes: ArraySlice<UInt8>) -> String {
        Diagnostic.shortened(String(decoding: bytes, as: UTF8.self))
    }
}
