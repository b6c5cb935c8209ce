import GranaryModel
import GranaryPredicates

/// How the numbers of a domain are drawn.
enum ValueDistribution: String, Sendable, CaseIterable {
    /// All values are equally frequent.
    case uniform
    /// Values in the middle are more frequent.
    case normal
    /// The first values are more frequent.
    case skewed

    /// The number of a value.
    ///
    /// - Parameter attempt: increases if a value is drawn again.
    func index(_ stream: RandomStream, _ index: UInt64, attempt: UInt64, size: UInt64) -> UInt64 {
        let draw = attempt * 4
        let first = stream.number(index, draw: draw, below: size)
        switch self {
        case .uniform: return first
        case .normal:
            // The rounded mean of four numbers below 2^62, whose sum is below 2^64 - 2.
            let others = (1..<UInt64(4)).map { stream.number(index, draw: draw + $0, below: size) }
            return (others.reduce(first, +) + 2) / 4
        case .skewed:
            return min(first, stream.number(index, draw: draw + 1, below: size))
        }
    }
}
