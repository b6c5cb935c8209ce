package import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// UUIDs made from numbers.
package enum UUIDBits {
    /// A UUID of version 4 whose last 62 bits are the number and whose other bits depend on it.
    package static func value(at index: UInt64) -> UUID {
        let high = RandomStream.mixed(index &+ 0x6A09_E667_F3BC_C908) & ~0xF000 | 0x4000
        // A bijection of 62 bits, so that neighbours look different.
        let low = (index &* 0x9E37_79B9_7F4A_7C15) & (1 << 62 - 1) | 1 << 63
        func byte(_ value: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (56 - place * 8)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
