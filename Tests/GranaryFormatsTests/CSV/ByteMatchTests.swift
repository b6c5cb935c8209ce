import GranaryCBytes
import TestSupport
import Testing

/// The bytes of a block that equal one byte, with and without vector instructions.
@Suite struct ByteMatchTests {
    @Test func bothWaysFindTheSameBytes() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            // Few different bytes, neighbours among them: a carry would show.
            let base = UInt8.random(in: 0...255, using: &random)
            let bytes = (0..<64).map { _ in base &+ UInt8.random(in: 0...2, using: &random) &* 0x7F }
            for byte in [base, base &+ 1, base &+ 0x7F, 0, 0x80, 0xFF] {
                var expected: UInt64 = 0
                for (index, found) in bytes.enumerated() where found == byte { expected |= 1 << UInt64(index) }
                #expect(granary_matches(bytes, byte) == expected)
                #expect(granary_matches_by_words(bytes, byte) == expected)
            }
        }
    }
}
