import GranaryBase
import GranaryFormats

/// Writes rejected rows of CSV and TSV under the header that they had.
final class CSVRejectsWriter: RejectsWriter {
    private let text: RejectsText
    private let lineEnd: [UInt8]

    /// Writes what stands before the rows: byte order mark, skipped rows, header. Line ends are those of the first line
    /// of the first source.
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
        // A quote that is never closed takes the line ends with it.
        if raw.last != 0x0A, raw.last != 0x0D { text.append(lineEnd) }
        try text.flushIfFull()
    }

    func prepare() throws(GranaryError) { try text.prepare() }

    /// As many lines as were skipped, so that the same number is skipped again.
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
        // What there was no room for to keep is left blank.
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
