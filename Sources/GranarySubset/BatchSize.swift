import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// The number of rows that are read at once: less if rows are large, so that a batch stays below some megabytes.
struct BatchSize {
    private static let most = 256
    private static let bytes = 4 << 20

    private(set) var rows = 16

    mutating func note(_ batch: borrowing RowBatch) {
        let average = batch.bytes.count / Swift.max(1, batch.rows.count)
        let fitting = Self.bytes / Swift.max(1, average)
        rows = Swift.max(1, Swift.min(Self.most, rows * 2, fitting))
    }
}
