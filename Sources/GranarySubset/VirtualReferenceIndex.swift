import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// The objects that the values of a virtual reference can name. Takes some 100 bytes for each of them, and their values.
struct VirtualReferenceIndex {
    private var keys: [AttributeValue: [Int64]] = [:]
    /// The number of values that name no object.
    private(set) var missing = 0

    init(_ reference: VirtualReference, _ store: any StoreBackend, _ cancellation: Cancellation?) throws {
        var keys: [AttributeValue: [Int64]] = [:]
        try store.read(entities: reference.targets, batchSize: 1000) { batch in
            try cancellation?.check()
            for row in batch.rows.indices {
                let value = try batch.value(row: row, of: reference.target)
                if let value = reference.compared(value) { keys[value, default: []].append(batch.rows[row].key) }
            }
            return true
        }
        self.keys = keys
    }

    /// The keys of the objects that the value in a row names.
    mutating func targets(
        of reference: VirtualReference, _ row: Int, _ batch: borrowing RowBatch
    ) throws -> [Int64] {
        guard let value = reference.compared(try batch.value(row: row, of: reference.attribute)) else { return [] }
        guard let found = keys[value] else {
            missing += 1
            return []
        }
        return found
    }
}
