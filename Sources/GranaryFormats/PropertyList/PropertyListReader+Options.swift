extension PropertyListReader {
    /// Options for reading property lists. The limits bound memory; an error names the exceeded limit.
    package struct Options: Sendable {
        /// Where the records are; if empty, the list is an array of records, one record or a document of several
        /// entities.
        package var places: [RecordPlace] = []
        /// The column that the keys are in, for a place that is a dictionary whose values are records. If nil, such a
        /// dictionary is one record.
        package var recordKey: String?
        /// Whether text may contain U+0000. (XML cannot contain it, binary lists can.)
        package var allowsNUL = false
        /// Whether a gzip-compressed list is decompressed. False for stores, which must not be compressed.
        package var inflatesGzip = true
        /// The maximum nesting depth of arrays and dictionaries.
        package var maximumDepth = 128
        /// The maximum number of bytes of all values of one record.
        package var maximumRecordBytes = 64 << 20
        /// The maximum number of bytes of one text, key or data value.
        package var maximumFieldBytes = 64 << 20
        /// The maximum number of values in one record. Elements of lists and values of nested dictionaries count
        /// singly; a list in a list counts as one.
        package var maximumFields = 1 << 20
        /// The maximum number of different keys, and of entities, in one source.
        package var maximumColumns = 1 << 16
        /// The maximum number of bytes of the `model` entry as JSON.
        package var maximumModelBytes = 64 << 20
        /// The maximum number of values of the `metadata` entry. Every 64 bytes of a text or data count as one more
        /// value.
        package var maximumMetadataValues = 10_000_000
        /// The maximum number of bytes of a binary list, which is kept in memory. An XML list is streamed and has no
        /// such limit.
        package var maximumBinaryBytes = 2 << 30

        /// The default limits; no U+0000.
        package init() {}
    }
}
