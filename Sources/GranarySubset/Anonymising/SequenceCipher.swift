import GranaryGeneration
/// A pseudo-random bijection of sequences of numbers below given limits.
///
/// The sequence is divided into segments with at most 2^62 values, and each is permuted (``Permutation``), first from
/// the first to the last, then back. The key of a segment depends on the segments before it, so that equal beginnings
/// of long texts become different.
struct SequenceCipher: Sendable {
    let seed: UInt64
    /// Different names give different bijections.
    let name: String

    /// - Parameters:
    ///   - limits: for each number its limit, at least 1.
    ///   - shape: what the bijection leaves unchanged.
    func encrypt(_ numbers: inout [UInt64], below limits: [UInt64], shape: String) {
        let segments = Self.segments(limits)
        // The shape can be long, so it is read once and not for each segment.
        let key = RandomStream(seed: seed, [name, shape]).number(0)
        var state: UInt64 = 0
        for (place, segment) in segments.enumerated() {
            let before = Self.joined(segment, of: numbers, limits)
            permute(segment, of: &numbers, limits, RandomStream(seed: key, ["forwards", "\(place)", "\(state)"]))
            state = RandomStream.mixed(state &+ before &+ 1)
        }
        guard segments.count > 1 else { return }
        state = 0
        for (place, segment) in segments.enumerated().reversed() {
            permute(segment, of: &numbers, limits, RandomStream(seed: key, ["backwards", "\(place)", "\(state)"]))
            state = RandomStream.mixed(state &+ Self.joined(segment, of: numbers, limits) &+ 1)
        }
    }

    private func permute(
        _ segment: Range<Int>, of numbers: inout [UInt64], _ limits: [UInt64], _ stream: RandomStream
    ) {
        // The product of a segment's limits is at most 2^62.
        var count: UInt64 = 1
        for place in segment { count &*= limits[place] }
        var rest = Permutation(count: count, stream)(Self.joined(segment, of: numbers, limits))
        for place in segment.reversed() {
            numbers[place] = rest % limits[place]
            rest /= limits[place]
        }
    }

    /// A segment as one number. A slice of the array could live until the array is changed, which would copy all
    /// numbers for each segment.
    private static func joined(_ segment: Range<Int>, of numbers: [UInt64], _ limits: [UInt64]) -> UInt64 {
        var joined: UInt64 = 0
        for place in segment { joined = joined &* limits[place] &+ numbers[place] }
        return joined
    }

    private static func segments(_ limits: [UInt64]) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var start = 0
        var product: UInt64 = 1
        for (place, limit) in limits.enumerated() {
            let (next, overflow) = product.multipliedReportingOverflow(by: limit)
            if overflow || next > ValueDomain.sizeLimit {
                segments.append(start..<place)
                start = place
                product = limit
            } else {
                product = next
            }
        }
        if start < limits.count { segments.append(start..<limits.count) }
        return segments
    }
}
