package import GranaryBase

/// What stands before and around the records: whoever writes some of them as a file of their own, to be read in the
/// same way, needs it again. All of it is known once the header is read.
extension CSVReader {
    /// The header's bytes, without its line end; nil for a file without one.
    package var headerRaw: [UInt8]? { header?.raw }

    /// Whether the file begins with a byte order mark.
    package var hasByteOrderMark: Bool { tokenizer.hasByteOrderMark }

    /// The lines that ``Options/skipRows`` passed over, each ended by LF; cut where they are longer than a record may
    /// be.
    package var skippedRows: [UInt8] { tokenizer.skippedRows }

    /// How many lines ``Options/skipRows`` passed over.
    package var skippedRowCount: Int { tokenizer.skippedRowCount }

    /// How the file's first line ends: LF, CR LF or CR. Reads on where that is not known yet.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    package func firstLineEnd() throws(GranaryError) -> [UInt8] { try tokenizer.firstLineEnd() }
}
