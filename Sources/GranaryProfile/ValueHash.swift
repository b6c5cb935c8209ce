/// A 64-bit hash of a value: equal for equal values, the same in every process. Two different values have the same one
/// with a probability of 2^-64 for each pair, so that counts of up to some millions of values are exact in practice.
enum ValueHash {
    static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = mixed(UInt64(truncatingIfNeeded: raw.count) &+ 0x9e37_79b9_7f4a_7c15)
        var offset = 0
        while offset + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = mixed(hash ^ word)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        return mixed(hash ^ rest)
    }

    static func of(_ word: UInt64) -> UInt64 { mixed(word ^ 0x5851_f42d_4c95_7f2d) }

    /// The finaliser of SplitMix64, in which each bit of the input changes each bit of the result with probability 1/2.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9e37_79b9_7f4a_7c15
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
