import GranaryBase

/// How the numbers of a domain are drawn.
enum ValueDistribution: String, Sendable, CaseIterable {
    /// All values are equally frequent.
    case uniform
    /// Values in the middle are more frequent.
    case normal
    /// The first values are more frequent.
    case skewed
    /// The first value is about twice as frequent as the second, three times as the third and so on.
    case zipf

    init(text: String) throws(GeneratorSpecification.Problem) {
        guard let distribution = Self(rawValue: text) else {
            let known = Self.allCases.map(\.rawValue)
            throw GeneratorSpecification.Problem(
                message: "\"\(Diagnostic.shortened(text))\" is not a distribution"
                    + NearestText.hint(for: text, in: known)
                    + "; distributions are \(known.joined(separator: ", "))")
        }
        self = distribution
    }

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
        case .zipf: return Self.zipf(stream, index, attempt: attempt, size: size)
        }
    }

    /// The values from 2^k to 2^(k+1) together are nearly as frequent for each k, so k is drawn first. In it, a value is
    /// kept with the probability 2^k / value. So no logarithm is needed, which differs between machines.
    private static func zipf(_ stream: RandomStream, _ index: UInt64, attempt: UInt64, size: UInt64) -> UInt64 {
        guard size > 1 else { return 0 }
        let octaves = UInt64(UInt64.bitWidth - size.leadingZeroBitCount)
        for round in 0..<UInt64(64) {
            // Each attempt has 256 draws of its own: four in each of 64 rounds.
            let draw = (attempt * 64 + round) * 4
            let base: UInt64 = 1 << stream.number(index, draw: draw, below: octaves)
            let value = base + stream.number(index, draw: draw + 1, below: base)
            if value <= size, stream.number(index, draw: draw + 2, below: value) < base { return value - 1 }
        }
        return 0
    }
}
