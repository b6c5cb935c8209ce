package import GranaryBase

extension JSONReader {
    /// Options for reading JSON. The limits bound memory; an error names the exceeded limit.
    package struct Options: Sendable {
        /// Whether the source is JSON Lines: one object a line, blank lines skipped.
        package var lines = false
        /// Where the records are; if empty, the document is an array of records, one record or a document of several
        /// entities.
        package var places: [RecordPlace] = []
        /// The column that the names of members are in, for a place that is an object whose members are records. If
        /// nil, such an object is one record.
        package var recordKey: String?
        /// The text encoding. If nil, the byte order mark decides; without one it is UTF-8 (RFC 8259).
        package var encoding: TextEncoding?
        /// Whether text may contain U+0000.
        package var allowsNUL = false
        /// The maximum nesting depth of objects and arrays.
        package var maximumDepth = 128
        /// The maximum number of source bytes of one record, at most 2 GiB.
        package var maximumRecordBytes = 64 << 20
        /// The maximum number of bytes of one member's text or name.
        package var maximumFieldBytes = 64 << 20
        /// The maximum number of values in one record. Elements of lists and values of nested objects count singly; a
        /// list in a list counts as one.
        package var maximumFields = 1 << 20
        /// The maximum number of different member names, and of entities, in one source.
        package var maximumColumns = 1 << 16
        /// The maximum number of bytes of the `model` member.
        package var maximumModelBytes = 64 << 20
        /// The number of bytes read at a time.
        package var chunkSize = 1 << 18

        /// The default limits; one JSON document, not JSON Lines.
        package init() {}
    }
}
