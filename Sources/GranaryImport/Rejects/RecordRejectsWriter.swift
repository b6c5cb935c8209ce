import GranaryBase
import GranaryFormats

/// Writes rejected rows of SQLite databases, and rejected records of readers outside Granary, as JSON Lines.
final class RecordRejectsWriter: RereadingRejectsWriter {
    private let text: RejectsText

    init(_ output: ByteOutput) { text = RejectsText(output) }

    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int {
        try records.forEach(in: reader) { (record) throws(GranaryError) in
            text.append("{")
            var index = 0
            while index < record.fields.count {
                let column = Int(record.fields[index].column)
                if index > 0 { text.append(",") }
                var bytes: [UInt8] = []
                JSONText.append(reader.columns[column], to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                index = Self.append(index, of: record, to: &bytes)
                text.append(bytes)
            }
            text.append("}\n")
            try text.flushIfFull()
        }
    }

    func prepare() throws(GranaryError) { try text.prepare() }

    /// Appends a field, or the list that starts with it.
    ///
    /// - Returns: the index of the next field.
    private static func append(_ index: Int, of record: Record, to bytes: inout [UInt8]) -> Int {
        let first = record.fields[index]
        guard first.isElement else {
            append(first, of: record, to: &bytes)
            return index + 1
        }
        var next = index
        bytes.append(UInt8(ascii: "["))
        while next < record.fields.count, record.fields[next].isElement, record.fields[next].column == first.column {
            if next > index { bytes.append(UInt8(ascii: ",")) }
            append(record.fields[next], of: record, to: &bytes)
            next += 1
        }
        bytes.append(UInt8(ascii: "]"))
        return next
    }

    /// Whether a number is written as in JSON.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        (try? /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/.wholeMatch(in: String(decoding: text, as: UTF8.self)))
            .flatMap { $0 } != nil
    }

    private static func append(_ field: Record.Field, of record: Record, to bytes: inout [UInt8]) {
        let value = record.bytes[field.range]
        switch field.kind {
        case .number where !isNumber(value):
            JSONText.append(String(decoding: value, as: UTF8.self), to: &bytes)
        case .number, .boolean, .array, .json: bytes.append(contentsOf: value)
        case .date:
            var date: [UInt8] = []
            let seconds = Double(String(decoding: value, as: UTF8.self)) ?? 0
            let isWritten = DateText.append(seconds, to: &date)
            JSONText.append(String(decoding: isWritten ? date[...] : value, as: UTF8.self), to: &bytes)
        case .text where value.isEmpty: bytes.append(contentsOf: "null".utf8)
        case .text, .quoted, .data: JSONText.append(String(decoding: value, as: UTF8.self), to: &bytes)
        case .emptyList: bytes.append(contentsOf: "[]".utf8)
        case .null, .object: bytes.append(contentsOf: "null".utf8)
        }
    }
}
