import GranaryBase
import GranaryFormats
import GranaryRecords

/// A record that sets a unique key which another object has.
struct RecordConflict: Hashable {
    let record: RecordID
    /// The index in ``KeyIndexes/all``.
    let keyIndex: Int
}
