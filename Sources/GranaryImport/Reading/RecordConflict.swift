import GranaryBase
import GranaryFormats
import GranaryRecords

/// A record that sets a unique key which another object has.
struct RecordConflict: Hashable {
    let record: RecordID
    /// The number of the index in ``KeyIndexes/all``.
    let indexNumber: Int
}
