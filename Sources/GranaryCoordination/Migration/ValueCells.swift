import GranaryModel
import GranaryPredicates

/// The cells of values that many rows of a batch have: the bytes are in the batch once.
struct ValueCells {
    private var cells: [AttributeValue: StoredCell] = [:]

    mutating func cell(for value: AttributeValue, in rows: inout RowBatch) -> StoredCell {
        if let cell = cells[value] { return cell }
        let cell = value.withBorrowed { rows.cell(for: $0) }
        cells[value] = cell
        return cell
    }
}
