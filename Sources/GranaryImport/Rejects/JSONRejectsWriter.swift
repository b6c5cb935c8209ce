import GranaryBase
import GranaryFormats

/// Writes rejected records of JSON unchanged, each on its line.
final class JSONRejectsWriter: RereadingRejectsWriter {
    enum Shape {
        case array
        case lines
        /// `{"entities": {NAME: [object, …], …}}`
        case document
    }

    private let text: RejectsText
    private let shape: Shape
    private var isEmpty = true
    /// The entity of the current array in a document; -1 before the first.
    private var entity: Int32 = -1

    init(_ output: ByteOutput, shape: Shape, hasMark: Bool, encoding: TextEncoding) {
        text = RejectsText(output, hasMark: hasMark, encoding: encoding)
        self.shape = shape
    }

    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int {
        try records.forEach(in: reader) { (record) throws(GranaryError) in
            switch shape {
            case .lines:
                // A line beyond the maximum size of a record was not kept.
                guard !record.raw.isEmpty else { return }
                text.append(record: record.raw)
                text.append("\n")
            case .array:
                text.append(isEmpty ? "[\n" : ",\n")
                text.append(record.raw)
            case .document:
                begin(record, of: reader)
                text.append(record.raw)
            }
            isEmpty = false
            try text.flushIfFull()
        }
    }

    func prepare() throws(GranaryError) {
        switch shape {
        case .lines: break
        case .array: text.append(isEmpty ? "[]\n" : "\n]\n")
        case .document: text.append(isEmpty ? "{\"entities\": {}}\n" : "\n]}}\n")
        }
        try text.prepare()
    }

    private func begin(_ record: Record, of reader: any RecordReader) {
        guard record.entity != entity else { return text.append(",\n") }
        text.append(isEmpty ? "{\"entities\": {" : "\n],\n")
        entity = record.entity
        var name: [UInt8] = []
        let index = Int(entity)
        JSONText.append(reader.entities.indices.contains(index) ? reader.entities[index] : "", to: &name)
        text.append(name)
        text.append(": [\n")
    }
}
