import GranaryBase
import GranaryFormats

/// Writes the rejected records of the sources of one kind into one file.
protocol RejectsWriter: AnyObject {
    /// Writes the end of the file and syncs it. The file keeps its temporary name.
    func prepare() throws(GranaryError)
}

/// A writer of records that are read a second time.
protocol RereadingRejectsWriter: RejectsWriter {
    /// Writes those of `records` that `reader` gives, which stands behind its header.
    ///
    /// - Returns: how many there were.
    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int
}
