import GranaryGeneration

/// A pseudo-random bijection of sequences of numbers below given limits.
///
/// The sequence is divided into segments with at most 2^62 values, and each is permuted (``Permutation``), first from
/// the first to the last, then back. The key of a segment depends on the segments before it, so that equal beginnings
/// of long texts become different.
struct SequenceCipher: Sendable {
    /// A number of a sequence.
    struct Digit: Equatable, Sendable {
        var number: UInt64
        /// At least 1, and more than the number.
        let limit: UInt64
    }

    private let names: RandomStreamNames

    /// - Parameter name: different names give different bijections.
    init(seed: UInt64, name: String) { names = RandomStreamNames(seed: seed).adding(name) }

    /// - Parameter shape: what the bijection leaves unchanged.
    func encrypt(_ digits: inout [Digit], shape: [UInt8]) {
        // The shape can be long, so it is read once and not for each segment.
        let key = RandomStreamNames(seed: names.adding(shape).stream.number(0))
        let segments = Self.segments(digits)
        let forwards = key.adding("forwards")
        var state: UInt64 = 0
        for (place, segment) in segments.enumerated() {
            let before = Self.joined(segment, of: digits)
            permute(segment, of: &digits, forwards.adding(UInt64(place)).adding(state).stream)
            state = RandomStream.mixed(state &+ before &+ 1)
        }
        guard segments.count > 1 else { return }
        let backwards = key.adding("backwards")
        state = 0
        for (place, segment) in segments.enumerated().reversed() {
            permute(segment, of: &digits, backwards.adding(UInt64(place)).adding(state).stream)
            state = RandomStream.mixed(state &+ Self.joined(segment, of: digits) &+ 1)
        }
    }

    private func permute(_ segment: Range<Int>, of digits: inout [Digit], _ stream: RandomStream) {
        // The product of a segment's limits is at most 2^62.
        var count: UInt64 = 1
        for place in segment { count &*= digits[place].limit }
        var rest = Permutation(count: count, stream)(Self.joined(segment, of: digits))
        for place in segment.reversed() {
            (rest, digits[place].number) = rest.quotientAndRemainder(dividingBy: digits[place].limit)
        }
    }

    /// A segment as one number. A slice of the array could live until the array is changed, which would copy all
    /// numbers for each segment.
    private static func joined(_ segment: Range<Int>, of digits: [Digit]) -> UInt64 {
        var joined: UInt64 = 0
        for place in segment { joined = joined &* digits[place].limit &+ digits[place].number }
        return joined
    }

    private static func segments(_ digits: [Digit]) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var start = 0
        var product: UInt64 = 1
        for (place, digit) in digits.enumerated() {
            let (next, overflow) = product.multipliedReportingOverflow(by: digit.limit)
            if overflow || next > ValueDomain.sizeLimit {
                segments.append(start..<place)
                start = place
                product = digit.limit
            } else {
                product = next
            }
        }
        if start < digits.count { segments.append(start..<digits.count) }
        return segments
    }
}
