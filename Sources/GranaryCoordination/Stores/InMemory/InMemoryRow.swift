import GranaryBase
import GranaryModel

/// One object of an in-memory store, with a copy of its bytes.
package struct InMemoryRow: Sendable {
    package let entity: Int32
    package var version: Int64
    var cells: [StoredCell]
    private var bytes: [UInt8] = []

    /// Copies a row of a batch, including its bytes.
    init(_ batch: borrowing RowBatch, row: Int, slotCount: Int) {
        let header = batch.rows[row]
        entity = header.entity
        version = header.version
        cells = []
        cells.reserveCapacity(slotCount)
        for slot in 0..<slotCount {
            cells.append(batch[row, slot].moved(from: batch.bytes, to: &bytes))
        }
    }

    /// Adds the row to a batch.
    func append(key: Int64, to batch: inout RowBatch) {
        let row = batch.appendRow(entity: Int(entity), key: key, version: version, slotCount: cells.count)
        for (slot, cell) in cells.enumerated() { batch[row, slot] = cell.moved(from: bytes, to: &batch.bytes) }
    }

    /// The value of a cell that is compared for uniqueness; nil for NULL.
    func uniqueContent(slot: Int) -> UniqueContent? { UniqueContent(cells[slot], bytes: bytes) }
}
