import GranaryBase
import GranaryCoordination

/// A stored object whose unique values another object takes over in the same import.
struct FreedKey {
    let row: RowID
    let slots: [Int]
    /// The last record that sets one of the slots.
    let record: RecordID
}
