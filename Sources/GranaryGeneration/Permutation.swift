/// A pseudo-random bijection of the numbers below a limit, with its inverse: a Feistel network whose results past the
/// limit are encrypted again.
package struct Permutation: Sendable {
    /// The limit, at most 2^62.
    let count: UInt64
    private let halfBits: UInt64
    private let mask: UInt64
    private let keys: [UInt64]

    package init(count: UInt64, _ stream: RandomStream) {
        self.count = count
        let bits = count > 1 ? UInt64.bitWidth - (count - 1).leadingZeroBitCount : 1
        halfBits = UInt64((bits + 1) / 2)
        mask = 1 << halfBits - 1
        keys = (UInt64(0)..<6).map { stream.number($0) }
    }

    /// The image of a number below ``count``.
    package func callAsFunction(_ index: UInt64) -> UInt64 {
        guard count > 1, index < count else { return index }
        var value = index
        // The network's cycles are finite, and one of at most four numbers is below the limit on average.
        repeat { value = forward(value) } while value >= count
        return value
    }

    /// The number whose image is `index`.
    func inverse(_ index: UInt64) -> UInt64 {
        guard count > 1, index < count else { return index }
        var value = index
        repeat { value = backward(value) } while value >= count
        return value
    }

    private func forward(_ value: UInt64) -> UInt64 {
        var (left, right) = (value >> halfBits, value & mask)
        for key in keys { (left, right) = (right, left ^ RandomStream.mixed(right &+ key) & mask) }
        return left << halfBits | right
    }

    private func backward(_ value: UInt64) -> UInt64 {
        var (left, right) = (value >> halfBits, value & mask)
        for key in keys.reversed() { (left, right) = (right ^ RandomStream.mixed(left &+ key) & mask, left) }
        return left << halfBits | right
    }
}
