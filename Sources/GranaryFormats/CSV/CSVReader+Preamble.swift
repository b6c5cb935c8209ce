package import GranaryBase

/// What stands before and around the records of a file: whoever writes some of them as a file of their own, to be read in the
/// same way, needs it again.
package struct CSVPreamble: Sendable {
    package let options: CSVReader.Options
    package let columns: [String]
    /// The header's bytes, without its line end; nil for a file without one.
    package let header: [UInt8]?
    /// Whether the file begins with a byte order mark.
    package let hasByteOrderMark: Bool
    /// The lines that ``CSVReader/Options/skipRows`` passed over, each ended by LF; cut where they are longer than a record
    /// may be.
    package let skippedRows: [UInt8]
    /// How many lines ``CSVReader/Options/skipRows`` passed over.
    package let skippedRowCount: Int
    /// How the file's first line ends: LF, CR LF or CR.
    package let lineEnd: [UInt8]
    package let encoding: TextEncoding
}

extension CSVReader {
    /// All of it is known once the header is read. Reads on where the first line's end is not known yet.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    package func preamble() throws(GranaryError) -> CSVPreamble? {
        CSVPreamble(
            options: options, columns: columns, header: header?.raw, hasByteOrderMark: tokenizer.hasByteOrderMark,
            skippedRows: tokenizer.skippedRows, skippedRowCount: tokenizer.skippedRowCount,
            lineEnd: try tokenizer.firstLineEnd(), encoding: tokenizer.source.encoding)
    }
}
