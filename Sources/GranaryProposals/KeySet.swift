/// Distinct values, remembered as 64-bit hashes. Two values with one hash count as a repetition, so that values that are
/// called unique are.
struct KeySet {
    private var hashes: Set<UInt64> = []

    var count: Int { hashes.count }

    /// - Returns: whether the value is new.
    mutating func insert(_ hash: UInt64) -> Bool { hashes.insert(hash).inserted }

    func contains(_ hash: UInt64) -> Bool { hashes.contains(hash) }

    /// FNV-1a, with a last mix for short values.
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash ^= hash >> 33
        return hash &* 0xFF51_AFD7_ED55_8CCD
    }
}
