/// All coordinates near the places of a list, each once, in ten-thousandths of a degree.
///
/// The surroundings of places overlap, and a unique attribute needs different texts for different numbers.
struct NearbyCoordinates: Sendable {
    /// Ranges that do not touch, in ascending order.
    private var ranges: [ClosedRange<Int64>] = []
    private(set) var count: UInt64 = 0

    /// - Parameter centers: the coordinates of the places.
    init(_ centers: [Int64]) {
        for center in centers.sorted() {
            let range = center - Place.nearby...center + Place.nearby
            if let last = ranges.last, range.lowerBound <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        count = ranges.reduce(0) { $0 + UInt64($1.count) }
    }

    /// The coordinate with a number below ``count``.
    subscript(index: UInt64) -> Int64 {
        var rest = index
        for range in ranges {
            let size = UInt64(range.count)
            if rest < size { return range.lowerBound + Int64(rest) }
            rest -= size
        }
        return ranges.last?.upperBound ?? 0
    }
}
