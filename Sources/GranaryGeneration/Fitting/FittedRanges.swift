/// Ranges of whole numbers with the shares of values in them. No value can be read from the ranges: their bounds are
/// multiples of a round step, each has at least ``group`` values, and the smallest and largest values, fewer than
/// ``group`` at each end, are counted as the nearest of the others.
struct FittedRanges: Sendable {
    struct Part: Sendable, Hashable {
        var lower: Int64
        var upper: Int64
        /// In percent of all values, at least 1.
        let weight: Int
    }

    /// How steps are rounded.
    enum Steps {
        /// 1, 2 or 5 times a power of ten.
        case decimal
        /// Days, weeks, months, quarters, years and ten years.
        case days
    }

    /// The smallest number of values that a range stands for.
    static let group = 10
    /// About the largest number of ranges.
    private static let most: Int64 = 16
    /// Larger numbers are not fitted.
    static let limit: Int64 = 1 << 53

    private(set) var parts: [Part] = []

    /// - Parameters:
    ///   - values: in any order, with magnitudes up to ``limit``.
    ///   - withBounds: whether the first and the last range end at the smallest and the largest value.
    /// - Returns: nil for fewer than ``group`` values.
    init?(_ values: [Int64], _ steps: Steps, withBounds: Bool = false) {
        let values = values.sorted()
        guard values.count >= Self.group, let least = values.first, let greatest = values.last else { return nil }
        let middle = values[values.count / 2]
        var low = min(values[Self.group - 1], middle)
        var high = max(values[values.count - Self.group], middle)
        if withBounds { (low, high) = (least, greatest) }
        let step = Self.step(low, high, steps)
        // The numbers of values by step, in ascending order.
        var cells: [(place: Int64, count: Int)] = []
        for value in values {
            let place = Self.floor(min(max(value, low), high), step)
            if let last = cells.last, last.place == place {
                cells[cells.count - 1].count += 1
            } else {
                cells.append((place, 1))
            }
        }
        var open: (first: Int64, last: Int64, count: Int)?
        var found: [(first: Int64, last: Int64, count: Int)] = []
        for cell in cells {
            let current = (first: open?.first ?? cell.place, last: cell.place, count: (open?.count ?? 0) + cell.count)
            open = current
            if current.count >= Self.group {
                found.append(current)
                open = nil
            }
        }
        if let rest = open, let last = found.last {
            found[found.count - 1] = (last.first, rest.last, last.count + rest.count)
        }
        parts = found.map { item in
            let percent = (item.count * 200 + values.count) / (2 * values.count)
            return Part(lower: item.first * step, upper: (item.last + 1) * step - 1, weight: max(1, percent))
        }
        if withBounds, !parts.isEmpty {
            parts[0].lower = least
            parts[parts.count - 1].upper = greatest
        }
    }

    private static func floor(_ value: Int64, _ step: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: step)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// A round step that divides the range into at most ``most`` parts. If all values are equal, the step is a tenth of
    /// them, so that the value cannot be read.
    private static func step(_ low: Int64, _ high: Int64, _ steps: Steps) -> Int64 {
        let wanted = low == high ? Int64(low.magnitude / 10) : (high - low) / most + 1
        switch steps {
        case .days: return [1, 7, 30, 91, 365].first { $0 >= wanted } ?? 3650
        case .decimal:
            var step: Int64 = 1
            // The limit of values is far below the largest number.
            while step < wanted {
                if step * 2 >= wanted { return step * 2 }
                if step * 5 >= wanted { return step * 5 }
                step *= 10
            }
            return step
        }
    }

    /// `0..9:50, 10..19:30`, or a single range without a weight.
    func text(_ bound: (Int64) -> String) -> String {
        let ranges = parts.map { (text: "\(bound($0.lower))..\(bound($0.upper))", weight: $0.weight) }
        if ranges.count == 1 { return ranges[0].text }
        return ranges.map { "\($0.text):\($0.weight)" }.joined(separator: ", ")
    }
}
