/// The destinations of a to-many relationship as a number: equal sets, or equal lists, have equal digests. Different
/// ones have different digests except with a probability of 2^-128.
///
/// Comparing digests needs no memory for the destinations, whose keys come in another order from each store.
struct ListDigest: Hashable {
    private(set) var count = 0
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Adds a destination.
    mutating func add(_ target: LinkTarget, isOrdered: Bool) {
        count += 1
        if isOrdered {
            low = Self.mix(low ^ target.hash(seed: 0))
            high = Self.mix(high ^ target.hash(seed: 1))
        } else {
            // Addition does not depend on the order. It wraps.
            low = low &+ target.hash(seed: 0)
            high = high &+ target.hash(seed: 1)
        }
    }

    /// Adds a link of an owner, in any order.
    mutating func add(_ target: LinkTarget, of owner: Int64) {
        count += 1
        let bits = UInt64(bitPattern: owner)
        low = low &+ Self.mix(target.hash(seed: 0) ^ Self.mix(bits))
        high = high &+ Self.mix(target.hash(seed: 1) ^ Self.mix(bits))
    }

    /// The finalizer of SplitMix64: a bijection in which each bit of the input affects all bits.
    static func mix(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
