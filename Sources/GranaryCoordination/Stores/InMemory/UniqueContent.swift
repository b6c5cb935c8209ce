import GranaryBase
import GranaryModel

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
