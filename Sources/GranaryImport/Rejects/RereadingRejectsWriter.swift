import GranaryBase
import GranaryFormats

/// A writer of records that are read again from their source.
protocol RereadingRejectsWriter: RejectsWriter {
    /// Copies `records` from a reader that has read its header.
    ///
    /// - Returns: the number of copied records.
    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int
}
