import GranaryBase
import GranaryModel

/// Converts cells between types of numbers, as Core Data does with an `NSNumber`.
enum NumberConversion {
    enum Result {
        case exact(StoredCell)
        /// The number is rounded towards zero, or to the nearest floating-point number.
        case rounded(StoredCell)
        case outOfRange
    }

    /// - Parameter cell: a number; NULL stays NULL.
    static func convert(_ cell: StoredCell, in batch: borrowing RowBatch, to type: AttributeType) -> Result {
        switch cell {
        case .null: .exact(.null)
        case .integer(let value): convert(value, to: type)
        case .real(let value): convert(value, to: type)
        case .decimal(let start, let count):
            // Only stores with exact decimals have such cells.
            type == .decimal
                ? .exact(cell)
                : inexact(
                    convert(batch.lend(start, count) { Double(String(decoding: $0, as: UTF8.self)) } ?? .nan, to: type))
        case .text, .blob, .file, .reference: .outOfRange
        }
    }

    private static func inexact(_ result: Result) -> Result {
        if case .exact(let cell) = result { .rounded(cell) } else { result }
    }

    private static func convert(_ value: Int64, to type: AttributeType) -> Result {
        switch type {
        case .boolean: value == 0 || value == 1 ? .exact(.integer(value)) : .rounded(.integer(1))
        case .double: floating(Double(value), isExact: Int64(exactly: Double(value)) == value)
        case .float: floating(Double(Float(value)), isExact: Int64(exactly: Float(value)) == value)
        case .decimal: .exact(.integer(value))
        default: type.integerRange?.contains(value) == true ? .exact(.integer(value)) : .outOfRange
        }
    }

    private static func convert(_ value: Double, to type: AttributeType) -> Result {
        switch type {
        case .boolean: return value == 0 || value == 1 ? .exact(.integer(value == 0 ? 0 : 1)) : .rounded(.integer(1))
        case .double: return .exact(.real(value))
        case .decimal: return .exact(Int64(exactly: value).map { .integer($0) } ?? .real(value))
        case .float:
            let float = Float(value)
            guard float.isFinite || !value.isFinite else { return .outOfRange }
            return floating(Double(float), isExact: Double(float) == value)
        default:
            guard let whole = Int64(exactly: value.rounded(.towardZero)), type.integerRange?.contains(whole) == true
            else { return .outOfRange }
            return Double(whole) == value ? .exact(.integer(whole)) : .rounded(.integer(whole))
        }
    }

    private static func floating(_ value: Double, isExact: Bool) -> Result {
        isExact ? .exact(.real(value)) : .rounded(.real(value))
    }
}
