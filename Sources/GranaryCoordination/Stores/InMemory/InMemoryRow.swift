import GranaryBase
import GranaryModel

/// One object of an in-memory store, with a copy of its bytes.
struct InMemoryRow: Sendable {
    let entity: Int32
    var version: Int64
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

/// The value of a cell for uniqueness: numbers compare by value, text and bytes by their bytes, references by their
/// key.
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
        // In SQLite 1.0 equals 1.
        case .real(let value): self = Int64(exactly: value).map(Self.integer) ?? .number(value)
        case .text(let start, let count): self = .text(span(start, count))
        case .blob(let start, let count), .file(let start, let count): self = .blob(span(start, count))
        case .decimal(let start, let count): self = .decimal(span(start, count))
        case .reference(let key, _): self = .reference(key)
        }
    }
}

/// The contents of an in-memory store. It is a value, so a transaction is rolled back by restoring a copy.
struct InMemoryState: Sendable {
    /// The objects of one hierarchy of entities.
    struct Hierarchy: Sendable {
        var rows: [Int64: InMemoryRow] = [:]
        /// The keys of `rows`, sorted.
        private(set) var keys: [Int64] = []
        /// The last allocated key.
        var lastKey: Int64 = 0

        mutating func insertKeys(_ new: [Int64]) {
            let isInOrder =
                zip(new, new.dropFirst()).allSatisfy { $0 < $1 } && (keys.last ?? .min) < (new.first ?? .max)
            keys.append(contentsOf: new)
            // Sorted runs are merged in one pass.
            if !isInOrder { keys.sort() }
            lastKey = max(lastKey, new.max() ?? lastKey)
        }

        mutating func removeKeys(_ removed: Set<Int64>) { keys.removeAll { removed.contains($0) } }

        /// The index of the first key above `key`.
        func place(after key: Int64) -> Int { keys.partitioningIndex { $0 > key } }
    }

    /// By the root entity's index.
    var hierarchies: [Int: Hierarchy] = [:]
    /// The links of every to-many relationship by their owner's key, including those that mirror to-one references.
    var links: [LinkLayout.ID: [Int64: LinkList]] = [:]
    /// The owners of the members of to-many relationships without an inverse.
    var owners: [LinkLayout.ID: [Int64: Int64]] = [:]
    /// The keys of objects by their unique values.
    var unique: [Schema.UniquenessConstraint: [[UniqueContent]: Int64]] = [:]
}
