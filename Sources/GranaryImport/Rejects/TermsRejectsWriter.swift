import GranaryBase
import GranaryFormats

/// Writes rejected terms of a constant table as CSV with the table's columns. A constant table of the rejected terms
/// would not keep their numbers, which are their places in the table.
final class TermsRejectsWriter: RereadingRejectsWriter {
    private let text: RejectsText
    private let columns: [String]
    private let ordinalColumn: Int?
    private let first: TermsReader

    init(_ output: ByteOutput, first: TermsReader) {
        text = RejectsText(output)
        columns = first.columns
        ordinalColumn = first.options.ordinal.flatMap { name in first.columns.firstIndex(of: name) }
        self.first = first
        for (index, name) in columns.enumerated() {
            let isBare = !name.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
            if index > 0 { text.append(",") }
            text.append(isBare ? Array(name.utf8) : Self.quoted(Array(name.utf8)))
        }
        text.append("\n")
    }

    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int {
        try records.forEach(in: reader) { (record, _) throws(GranaryError) in
            for column in columns.indices {
                if column > 0 { text.append(",") }
                text.append(field(column, of: record))
            }
            text.append("\n")
            try text.flushIfFull()
        }
    }

    func prepare() throws(GranaryError) { try text.prepare() }

    private func field(_ column: Int, of record: Record) -> [UInt8] {
        if let field = record.fields.first(where: { Int($0.column) == column }) {
            let bytes = Array(record.bytes[Int(field.start)..<Int(field.end)])
            // Quoted, so that no term is read as NULL.
            return field.kind == .number ? bytes : Self.quoted(bytes)
        }
        // A malformed term has no fields, only its bytes and its number.
        if column == ordinalColumn {
            return Array(first.ordinal(ofRecord: record.number)?.description.utf8 ?? "".utf8)
        }
        return column == 0 ? Self.quoted(record.raw) : []
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x22]
        for byte in bytes {
            if byte == 0x22 { result.append(0x22) }
            result.append(byte)
        }
        result.append(0x22)
        return result
    }
}
