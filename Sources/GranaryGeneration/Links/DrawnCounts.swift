/// The counts of all objects of an end, which a rule chooses.
struct DrawnCounts: Sendable {
    private let rule: LinkCounts
    private(set) var counts: [UInt32]
    private(set) var sum: UInt64

    /// - Parameters:
    ///   - objects: at most ``LinkCounts/limit``, as the counts of the rule.
    init(_ rule: LinkCounts, objects: UInt64, _ stream: RandomStream) {
        self.rule = rule
        counts = (0..<objects).map { UInt32(truncatingIfNeeded: rule.count(stream, $0)) }
        // At most 10^16.
        sum = counts.reduce(0) { $0 + UInt64($1) }
    }

    /// The sums that the rule allows.
    var range: ClosedRange<UInt64> {
        let objects = UInt64(counts.count)
        return objects * rule.smallest...objects * rule.largest
    }

    /// Changes counts, all by about the same number, until their sum is in a range.
    ///
    /// - Parameter order: the order in which objects are changed.
    /// - Returns: false if the counts of the rule do not add up to such a sum.
    mutating func adjust(to wanted: ClosedRange<UInt64>, _ order: Permutation) -> Bool {
        while !wanted.contains(sum) {
            let isLarger = sum < wanted.lowerBound
            let before = sum
            let step = max(1, missing(wanted) / max(1, UInt64(counts.count)))
            for place in counts.indices where !wanted.contains(sum) {
                change(Int(order(UInt64(place))), by: min(step, missing(wanted)), isLarger, wanted)
            }
            if sum == before { return false }
        }
        return true
    }

    private func missing(_ wanted: ClosedRange<UInt64>) -> UInt64 {
        sum < wanted.lowerBound ? wanted.lowerBound - sum : sum - min(sum, wanted.upperBound)
    }

    private mutating func change(_ index: Int, by step: UInt64, _ isLarger: Bool, _ wanted: ClosedRange<UInt64>) {
        let count = UInt64(counts[index])
        let goal = isLarger ? count + step : count - min(step, count)
        // Between two parts of the rule, a longer way is needed.
        guard
            let next = rule.next(from: count, toward: goal) ?? rule.neighbour(of: count, isLarger: isLarger),
            let result = UInt32(exactly: next)
        else { return }
        if isLarger, next - count <= wanted.upperBound - sum {
            sum += next - count
        } else if !isLarger, count - next <= sum - wanted.lowerBound {
            sum -= count - next
        } else {
            return
        }
        counts[index] = result
    }
}
