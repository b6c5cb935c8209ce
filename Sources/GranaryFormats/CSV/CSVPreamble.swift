package import GranaryBase

/// The parts of a file around its records, for writing some of the records to another file that can be read in the same
/// way.
package struct CSVPreamble: Sendable {
    package let options: CSVReader.Options
    package let columns: [String]
    /// The header's bytes without its line end; nil for a file without a header.
    package let header: [UInt8]?
    /// Whether the file begins with a byte order mark.
    package let hasByteOrderMark: Bool
    /// The lines skipped by ``CSVReader/Options/skipRows``, each ended by LF; truncated if they are longer than a
    /// record may be.
    package let skippedRows: [UInt8]
    /// The number of lines skipped by ``CSVReader/Options/skipRows``.
    package let skippedRowCount: Int
    /// The end of the file's first line: LF, CR LF or CR.
    package let lineEnd: [UInt8]
    package let encoding: TextEncoding
}

extension CSVPreamble {
    /// The skipped lines without their ends, so that a copy of the file can be read with the same options. Lines that
    /// were not kept are blank.
    package var skippedLines: [[UInt8]] {
        // Each line is ended, except for one that was truncated.
        let kept = skippedRows.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map(Array.init)
        return kept + Array(repeating: [], count: max(0, skippedRowCount - kept.count))
    }
}
