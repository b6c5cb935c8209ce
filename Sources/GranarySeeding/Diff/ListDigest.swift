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
    fileprivate static func mix(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// The destination of a link in terms of the second store, so that destinations of both stores can be compared.
struct LinkTarget: Hashable {
    enum Kind: UInt64 {
        /// An object of the second store, also as the partner of an object of the first one.
        case common
        /// An object that only the first store has.
        case onlyInA
        /// An object of an entity that only the first model has.
        case foreignInA
        /// An object of an entity that only the second model has.
        case foreignInB
    }

    let kind: Kind
    /// The number of the entity in the plan; for foreign objects its index in the schema.
    let entity: Int
    let key: Int64

    fileprivate func hash(seed: UInt64) -> UInt64 {
        let start = ListDigest.mix(seed << 32 | kind.rawValue)
        return ListDigest.mix(
            ListDigest.mix(start ^ UInt64(bitPattern: Int64(entity))) ^ UInt64(bitPattern: key))
    }
}
