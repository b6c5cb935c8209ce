import GranaryBase
import GranaryCoordination
import GranaryModel

/// Digests of rows, to distinguish equal objects with one natural key from different ones. References are not included,
/// because they can be unresolved.
enum RowDigest {
    /// - Parameter known: returns the hash of a slot that has another value than in the row.
    static func digest(
        _ row: Int, of batch: borrowing RowBatch, _ schema: Schema, known: (Int) -> UInt64? = { _ in nil }
    ) -> Int {
        let entity = Int(batch.rows[row].entity)
        var sum = UInt64(truncatingIfNeeded: entity)
        for attribute in schema.entities[entity].attributes {
            sum = sum &+ (known(attribute.slot) ?? hash(attribute.slot, row, of: batch))
        }
        return Int(truncatingIfNeeded: sum)
    }

    /// The hash of one slot: Swift's seeded hash.
    static func hash(_ slot: Int, _ row: Int, of batch: borrowing RowBatch) -> UInt64 {
        let cell = batch[row, slot]
        var hasher = Hasher()
        hasher.combine(slot)
        switch cell {
        case .text(let start, let count), .blob(let start, let count), .decimal(let start, let count),
            .file(let start, let count):
            batch.lend(start, count) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(count)
        case .null, .integer, .real, .reference: hasher.combine(cell)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
