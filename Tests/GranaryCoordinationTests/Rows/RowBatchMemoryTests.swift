import GranaryCoordination
import Testing

@Suite struct RowBatchMemoryTests {
    /// The memory of usual rows is used again, and that of a very large value is given back.
    @Test func largeMemoryIsReleased() {
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 2)
        batch.bytes = [UInt8](repeating: 1, count: 1 << 20)
        batch.removeAll()
        #expect(batch.bytes.capacity >= 1 << 20)
        batch.bytes = [UInt8](repeating: 1, count: RowBatch.keptBytes + 1)
        batch.removeAll()
        #expect(batch.bytes.capacity < 1 << 20)
        #expect(batch.isEmpty && batch.cells.isEmpty && batch.bytes.isEmpty)
    }
}
