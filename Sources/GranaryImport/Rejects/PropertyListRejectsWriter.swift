import GranaryBase
import GranaryFormats

/// Writes rejected records of property lists, including malformed ones.
final class PropertyListRejectsWriter: RereadingRejectsWriter {
    private let output: ByteOutput
    private let list: PropertyListRecordCopy

    init(_ output: ByteOutput, encoding: PropertyListEncoding, isDocument: Bool, places: [RecordPlace] = []) {
        self.output = output
        list = PropertyListRecordCopy(output, encoding: encoding, isDocument: isDocument, places: places)
    }

    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int {
        guard let reader = reader as? PropertyListReader else {
            throw GranaryError(.internalDefect, "\(reader.sourceName): the second reader is not for property lists")
        }
        return try list.copy(records.count, of: reader) { records.contains($0) }
    }

    func prepare() throws(GranaryError) {
        try list.finish()
        try output.prepare()
    }
}
