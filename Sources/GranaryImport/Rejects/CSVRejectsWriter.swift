import GranaryBase
import GranaryFormats

/// Writes rejected records of CSV and TSV under their header.
final class CSVRejectsWriter: RejectsWriter {
    private let text: RejectsText
    private let lineEnd: [UInt8]

    /// Writes the byte order mark, skipped rows and header. Line ends are those of the first line of the first source.
    init(_ output: ByteOutput, first: CSVPreamble) throws(GranaryError) {
        text = RejectsText(output, hasMark: first.hasByteOrderMark, encoding: first.encoding)
        lineEnd = first.lineEnd
        try writeSkippedRows(first)
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

    /// Writes the skipped lines, so that the file can be read with the same options.
    private func writeSkippedRows(_ preamble: CSVPreamble) throws(GranaryError) {
        var line: [UInt8] = []
        var count = 0
        for byte in preamble.skippedRows {
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            try writeSkipped(&line, &count)
        }
        // Lines that were not kept are left blank.
        while count < preamble.skippedRowCount { try writeSkipped(&line, &count) }
    }

    private func writeSkipped(_ line: inout [UInt8], _ count: inout Int) throws(GranaryError) {
        text.append(record: line)
        text.append(lineEnd)
        line.removeAll(keepingCapacity: true)
        count += 1
        try text.flushIfFull()
    }
}
