import GranaryBase
import GranaryModel

/// One object of an in-memory store, with bytes of its own.
struct InMemoryRow: Sendable {
    let entity: Int32
    var version: Int64
    var cells: [StoredCell]
    private var bytes: [UInt8] = []

    /// Copies a row of a batch, its bytes too.
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

    /// What of a cell is compared for uniqueness; nil for NULL.
    func uniqueContent(slot: Int) -> UniqueContent? { UniqueContent(cells[slot], bytes: bytes) }
}

/// A cell as uniqueness compares it: numbers by value, text and bytes by their bytes, references by their key.
enum UniqueContent: Sendable, Hashable {
    case number(Double)
    case integer(Int64)
    case text([UInt8])
    case blob([UInt8])
    case decimal([UInt8])
    case reference(Int64)

    init?(_ cell: StoredCell, bytes: [UInt8]) {
        func span(_ start: UInt32, _ count: UInt32) -> [UInt8] { Array(bytes[Int(start)..<Int(start) + Int(count)]) }
        switch cell {
        case .null: return nil
        case .integer(let value): self = .integer(value)
        // As SQLite compares: 1.0 is 1.
        case .real(let value): self = Int64(exactly: value).map(Self.integer) ?? .number(value)
        case .text(let start, let count): self = .text(span(start, count))
        case .blob(let start, let count), .file(let start, let count): self = .blob(span(start, count))
        case .decimal(let start, let count): self = .decimal(span(start, count))
        case .reference(let key, _): self = .reference(key)
        }
    }
}
