/// A sample of numbers that does not depend on chance: with more than ``limit`` numbers, each of them is kept with the same
/// probability.
struct FittedSample: Sendable {
    private static let limit = 100_000
    private(set) var values: [Int64] = []
    private var count: UInt64 = 0
    private let stream: RandomStream

    init(_ names: [String]) { stream = RandomStream(seed: 0, names) }

    mutating func add(_ value: Int64) {
        guard value.magnitude <= UInt64(FittedRanges.limit) else { return }
        count += 1
        if values.count < Self.limit { return values.append(value) }
        let place = stream.number(count, below: count)
        if place < UInt64(Self.limit) { values[Int(place)] = value }
    }
}
