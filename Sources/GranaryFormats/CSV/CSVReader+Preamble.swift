package import GranaryBase

extension CSVReader {
    /// The preamble, which is known after the header is read. Reads on if the end of the first line is not known yet.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    package func preamble() throws(GranaryError) -> CSVPreamble? {
        CSVPreamble(
            options: options, columns: columns, header: header?.raw, hasByteOrderMark: tokenizer.hasByteOrderMark,
            skippedRows: tokenizer.skippedRows, skippedRowCount: tokenizer.skippedRowCount,
            lineEnd: try tokenizer.firstLineEnd(), encoding: tokenizer.source.encoding)
    }
}
