/// A seed and the first names of random number streams, for streams that differ in the last names only.
///
/// The names are hashed by FNV-1a, a name at a time, so a stream costs no more than its last names.
package struct RandomStreamNames: Sendable {
    private static let prime: UInt64 = 0x100_0000_01B3

    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(seed: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: seed >> shift)) }
    }

    package func adding(_ name: String) -> RandomStreamNames {
        var result = self
        for byte in name.utf8 { result.add(byte) }
        result.end()
        return result
    }

    /// Adds a name in UTF-8.
    package func adding(_ name: [UInt8]) -> RandomStreamNames {
        var result = self
        for byte in name { result.add(byte) }
        result.end()
        return result
    }

    /// Adds a number as the name of its decimal digits.
    package func adding(_ number: UInt64) -> RandomStreamNames {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        var result = self
        while divisor > 0 {
            result.add(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
            divisor /= 10
        }
        result.end()
        return result
    }

    /// The stream of the seed and the names.
    package var stream: RandomStream { RandomStream(key: RandomStream.mixed(hash)) }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* Self.prime }

    /// A byte that UTF-8 does not contain separates the names.
    private mutating func end() { add(0xFF) }
}
