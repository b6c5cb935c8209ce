import GranaryBase
import GranaryFormats

/// Writes rejected records of CSV and TSV under their header.
final class CSVRejectsWriter: KeptRejectsWriter {
    private let text: RejectsText
    private let lineEnd: [UInt8]

    /// Writes the byte order mark, skipped rows and header. Line ends are those of the first line of the first source.
    init(_ output: ByteOutput, first: CSVPreamble) throws(GranaryError) {
        text = RejectsText(output, hasMark: first.hasByteOrderMark, encoding: first.encoding)
        lineEnd = first.lineEnd
        for line in first.skippedLines {
            text.append(record: line)
            text.append(lineEnd)
            try text.flushIfFull()
        }
        if let header = first.header {
            text.append(record: header)
            text.append(lineEnd)
        }
    }

    func append(_ raw: [UInt8]) throws(GranaryError) {
        text.append(record: raw)
        // A record with a quote that is not closed includes the line ends.
        if raw.last != 0x0A, raw.last != 0x0D { text.append(lineEnd) }
        try text.flushIfFull()
    }

    func prepare() throws(GranaryError) { try text.prepare() }
}
