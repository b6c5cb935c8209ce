/// Makes gzip members (RFC 1952), so that tests know what is in them.
public enum Gzip {
    /// The content as it is, in DEFLATE's stored blocks.
    public static func stored(_ content: [UInt8]) -> [UInt8] {
        var deflated: [UInt8] = []
        var start = 0
        repeat {
            let count = min(content.count - start, 0xFFFF)
            deflated.append(start + count == content.count ? 1 : 0)
            deflated += bytes(UInt32(count), 2) + bytes(~UInt32(count), 2)
            deflated += content[start..<start + count]
            start += count
        } while start < content.count
        return member(deflated, of: content)
    }

    /// A member with data that was compressed elsewhere.
    public static func member(_ deflated: [UInt8], of content: [UInt8]) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + deflated + bytes(checksum(content), 4)
            + bytes(UInt32(truncatingIfNeeded: content.count), 4)
    }

    /// Section 8: CRC-32, bit by bit.
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in content {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }

    private static func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
}
