import GranaryCBytes
import TestSupport
import Testing

/// Copying up to a special byte and searching for the end of ASCII, beside loops over the bytes.
@Suite struct CopyFieldTests {
    private static let (first, second) = (UInt8(ascii: ","), UInt8(ascii: "\""))

    private static func isSpecial(_ byte: UInt8, _ others: granary_special) -> Bool {
        if byte == first || byte == second { return true }
        return others == granary_controls ? byte < 0x20 : byte == 0x0A || byte == 0x0D
    }

    /// Every length, and every place of a special byte; the source and the copy end at a page that cannot be accessed.
    @Test func everyLengthAndPlace() throws {
        let (source, target) = (try GuardedMemory(128), try GuardedMemory(128))
        for (others, specials) in [
            (granary_line_ends, [Self.first, Self.second, 0x0A, 0x0D]),
            (granary_controls, [Self.first, Self.second, 0x00, 0x0A, 0x1F]),
        ] {
            for length in 0...70 {
                let from = source.end - length
                let to = target.end - length
                for index in 0..<length { from[index] = [0x61, 0x20, 0x7F, 0x80, 0xFF, 0x2B][index % 6] }
                for place in 0...length {
                    let kept = place < length ? from[place] : 0
                    if place < length { from[place] = specials[(place + length) % specials.count] }
                    to.initialize(repeating: 0, count: length)
                    let copied = granary_copy_field(to, from, length, Self.first, Self.second, others)
                    var isSame = copied == place
                    for index in 0..<min(place, length) where to[index] != from[index] { isSame = false }
                    if !isSame { Issue.record("\(length) bytes, special at \(place): \(copied)") }
                    if place < length { from[place] = kept }
                }
            }
        }
    }

    /// Every alignment of the source and the copy; the first of two special bytes counts, and bytes behind the end do
    /// not.
    @Test func everyAlignment() throws {
        let (source, target) = (try GuardedMemory(256), try GuardedMemory(256))
        for shift in 0..<16 {
            for length in [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 48, 65] {
                let from = source.end - 160 + shift
                let to = target.end - 160 + (shift * 7 + 3) % 16
                from.initialize(repeating: 0x62, count: 100)
                to.initialize(repeating: 0x01, count: 100)
                from[length] = Self.first
                let whole = granary_copy_field(to, from, length, Self.first, Self.second, granary_controls)
                #expect(whole == length)
                let isUntouched = (length..<100).allSatisfy { to[$0] == 0x01 }
                #expect(isUntouched, "\(length) bytes at \(shift)")
                guard length > 2 else { continue }
                (from[length - 2], from[length - 1]) = (Self.second, Self.first)
                let part = granary_copy_field(to, from, length, Self.first, Self.second, granary_line_ends)
                #expect(part == length - 2)
            }
        }
    }

    @Test func randomBytes() throws {
        let (source, target) = (try GuardedMemory(512), try GuardedMemory(512))
        var random = SeededGenerator(seed: 1)
        for round in 0..<3_000 {
            let length = Int.random(in: 0...300, using: &random)
            let others = round % 2 == 0 ? granary_line_ends : granary_controls
            let (from, to) = (source.end - length, target.end - length)
            // Mostly letters: special bytes are far apart.
            for index in 0..<length {
                from[index] =
                    Int.random(in: 0..<100, using: &random) == 0
                    ? UInt8.random(in: 0...255, using: &random) : UInt8.random(in: 0x61...0xFF, using: &random)
            }
            let expected = (0..<length).first { Self.isSpecial(from[$0], others) } ?? length
            let copied = granary_copy_field(to, from, length, Self.first, Self.second, others)
            let isSame = (0..<expected).allSatisfy { to[$0] == from[$0] }
            if copied != expected || !isSame { Issue.record("\(length) bytes: \(copied), not \(expected)") }
        }
    }

    @Test func endOfASCII() throws {
        let memory = try GuardedMemory(128)
        for length in 0...70 {
            let bytes = memory.end - length
            bytes.initialize(repeating: 0x7F, count: length)
            for place in 0...length {
                if place < length { bytes[place] = place % 2 == 0 ? 0x80 : 0xFF }
                for start in Set([0, 1, place / 2, place, place + 1, length]).sorted() where start <= length {
                    let found = granary_end_of_ascii(bytes, start, length)
                    let expected = start <= place ? place : length
                    if found != expected { Issue.record("\(length) bytes from \(start): \(found), not \(expected)") }
                }
                if place < length { bytes[place] = 0x00 }
            }
        }
    }
}
