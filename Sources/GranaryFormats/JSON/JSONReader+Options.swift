package import GranaryBase

extension JSONReader {
    /// How JSON is read. Every limit bounds memory, and the error of one that is passed names it.
    package struct Options: Sendable {
        /// Whether the source is JSON Lines: one object a line, blank lines skipped.
        package var lines = false
        /// How the source writes its characters. Nil: as its byte order mark says, UTF-8 without one (RFC 8259).
        package var encoding: TextEncoding?
        /// Whether U+0000 may stand inside text.
        package var allowsNUL = false
        /// How deep objects and arrays may be nested.
        package var maximumDepth = 128
        /// The most bytes that one record may take in the source, at most 2 GiB.
        package var maximumRecordBytes = 64 << 20
        /// The most bytes of one member's text or name.
        package var maximumFieldBytes = 64 << 20
        /// The most values in one record, the elements of its lists and the values of objects inside counted singly; a list
        /// in a list is one.
        package var maximumFields = 1 << 20
        /// The most different member names, and the most entities, in one source.
        package var maximumColumns = 1 << 16
        /// The most bytes of the `model` member.
        package var maximumModelBytes = 64 << 20
        /// How many bytes are read at a time.
        package var chunkSize = 1 << 18

        /// The limits as given above; one JSON document, not JSON Lines.
        package init() {}
    }
}

/// The entities that a writer has begun, so that none is written twice and no shape gets more than it can hold.
struct TableNames {
    // Entity names are few and long-lived; bytes, because String takes two spellings of one letter for the same.
    private var names: Set<[UInt8]> = []

    var count: Int { names.count }

    mutating func begin(_ entity: String, allowsSeveral: Bool) throws(GranaryError) {
        guard allowsSeveral || names.isEmpty else {
            throw GranaryError(.usage, "one array holds one entity; \(entity) is a second: write a document of several")
        }
        guard names.insert(Array(entity.utf8)).inserted else {
            throw GranaryError(.usage, "the entity \(entity) is written twice")
        }
    }
}
