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

/// All that an in-memory store holds: a value, so that a transaction's way back is a copy.
struct InMemoryState: Sendable {
    /// The objects of one hierarchy of entities.
    struct Hierarchy: Sendable {
        var rows: [Int64: InMemoryRow] = [:]
        /// The keys of `rows`, sorted.
        private(set) var keys: [Int64] = []
        /// The last key that was given out.
        var lastKey: Int64 = 0

        mutating func insertKeys(_ new: [Int64]) {
            let isInOrder =
                zip(new, new.dropFirst()).allSatisfy { $0 < $1 } && (keys.last ?? .min) < (new.first ?? .max)
            keys.append(contentsOf: new)
            // Sorted stretches, as here, are merged in one pass.
            if !isInOrder { keys.sort() }
            lastKey = max(lastKey, new.max() ?? lastKey)
        }

        mutating func removeKeys(_ removed: Set<Int64>) { keys.removeAll { removed.contains($0) } }

        /// Where the keys above `key` begin.
        func place(after key: Int64) -> Int { key == .max ? keys.count : place(of: key + 1) }

        private func place(of key: Int64) -> Int {
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = low + (high - low) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// By the root entity's index.
    var hierarchies: [Int: Hierarchy] = [:]
    /// The links of every to-many relationship by their owner's key: those that mirror to-one references, too.
    var links: [LinkLayout.ID: [Int64: LinkList]] = [:]
    /// Who holds the members of a to-many relationship without an inverse.
    var owners: [LinkLayout.ID: [Int64: Int64]] = [:]
    /// The objects by their unique values.
    var unique: [Schema.UniquenessConstraint: [[UniqueContent]: Int64]] = [:]
}
