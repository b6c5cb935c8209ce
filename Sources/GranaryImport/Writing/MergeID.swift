import GranaryBase
import GranaryCoordination

/// An object and a record that changes it.
struct MergeID: Hashable {
    let row: RowID
    let record: RecordID
}
