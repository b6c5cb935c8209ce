import GranaryBase
import GranaryCoordination
import GranarySQLite

/// The SQLite records of rows of a ``RowBatch``.
///
/// Proof of `@unchecked`: only the thread that owns the batch changes the records. Queues with locks hand the batch
/// over, and ``RowBatch/removeAll()`` clears the records only if no other batch refers to them.
final class EncodedRecords: EncodedRows, @unchecked Sendable {
    @exclusivity(unchecked) private(set) var records = RecordBatch()

    /// Moves the records into a local variable, where accesses need no exclusivity checks. ``put(_:)`` moves them back.
    func take() -> RecordBatch {
        var records = RecordBatch(capacity: 0)
        swap(&records, &self.records)
        return records
    }

    func put(_ records: consuming RecordBatch) { self.records = records }

    func removeAll() { records.removeAll() }
}
