/// A histogram of numbers that finds the width of its bins while it reads: a power of two, so that at most 64 bins span
/// all numbers.
struct NumberBins {
    private static let most = 64.0
    private var width: Double
    private var counts: [Double: Int] = [:]
    private var lowest = Double.infinity
    private var highest = -Double.infinity

    /// - Parameter isWhole: whether all numbers are integers, so that no bin is narrower than 1.
    init(isWhole: Bool = false) { width = isWhole ? 1 : 0x1p-40 }

    /// Numbers that are not finite are ignored.
    mutating func add(_ number: Double) {
        guard number.isFinite else { return }
        let before = (lowest, highest)
        lowest = min(lowest, number)
        highest = max(highest, number)
        if before != (lowest, highest) { widen() }
        counts[(number / width).rounded(.down), default: 0] += 1
    }

    private mutating func widen() {
        let old = width
        let magnitude = max(abs(lowest), abs(highest))
        // The numbers of bins are whole numbers, which a double has up to 2^53. The quotients can be infinite.
        while magnitude / width >= 0x1p52
            || (highest / width).rounded(.down) - (lowest / width).rounded(.down) >= Self.most
        {
            width *= 2
        }
        guard width != old, !counts.isEmpty else { return }
        var wider: [Double: Int] = [:]
        let factor = width / old
        for (bin, count) in counts { wider[(bin / factor).rounded(.down), default: 0] += count }
        counts = wider
    }

    /// The counts from the lowest to the highest bin; nil without two different numbers.
    var histogram: Histogram? {
        guard lowest < highest, let first = counts.keys.min(), let last = counts.keys.max(),
            last - first < 2 * Self.most, (first * width).isFinite
        else { return nil }
        let bins = Int(last - first) + 1
        let values = (0..<bins).map { counts[first + Double($0)] ?? 0 }
        return Histogram(lowest: first * width, width: width, counts: values)
    }
}
