import GranaryBase
import GranaryPropertyLists

extension PropertyListReader {
    /// How property lists are read. Every limit bounds memory, and the error of one that is passed names it.
    package struct Options: Sendable {
        /// Whether U+0000 may stand inside text. (XML cannot hold it, binary lists can.)
        package var allowsNUL = false
        /// Whether a list compressed by gzip is read. A store that is a file must be the file.
        package var inflatesGzip = true
        /// How deep arrays and dictionaries may be nested.
        package var maximumDepth = 128
        /// The most bytes of all values of one record.
        package var maximumRecordBytes = 64 << 20
        /// The most bytes of one text, key or data value.
        package var maximumFieldBytes = 64 << 20
        /// The most values in one record, the elements of its lists and the values of dictionaries inside counted singly;
        /// a list in a list is one.
        package var maximumFields = 1 << 20
        /// The most different keys, and the most entities, in one source.
        package var maximumColumns = 1 << 16
        /// The most bytes of the `model` entry, written as JSON.
        package var maximumModelBytes = 64 << 20
        /// The most values of the `metadata` entry, each 64 bytes of a text or data counted as one more.
        package var maximumMetadataValues = 10_000_000
        /// The most bytes of a binary list, which is in memory whole. An XML list streams and has no such limit.
        package var maximumBinaryBytes = 2 << 30

        /// The limits as given above; no U+0000.
        package init() {}
    }
}

/// Gets the events of chosen records as a ``PropertyListReader`` takes them: all that the list says, be it a record or
/// not. None of the closures may touch the reader.
struct PropertyListRecordTap {
    /// Picks records by their numbers.
    var isWanted: (Int) -> Bool
    /// Comes before a record's events, with the entity where the list names it.
    var begin: (String?) throws(GranaryError) -> Void
    var handle: (PropertyListEvent) throws(GranaryError) -> Void
}
