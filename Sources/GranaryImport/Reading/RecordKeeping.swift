/// How the records of a source are kept for the rejects file.
enum RecordKeeping {
    /// Not at all, because there is no rejects file or because it reads the source again.
    case none
    /// As they were found.
    case bytes
    /// As JSON objects. A query can have another order or other rows each time, and a reader from outside Granary can
    /// have other records.
    case lines(RecordLine)
}
