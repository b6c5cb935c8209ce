/// The escape of an invalid code unit in decoded text.
///
/// The format is `FE`, the unit's bytes, `FD`, the unit's offset in the source, `FF`. Bytes and offset are written as
/// nibbles, each 0x80 + n. UTF-8 never contains FE, FD or FF, so a reader's UTF-8 check finds the escape. It contains
/// no ASCII, so it does not end a field or a line. The source's bytes can be restored from it.
struct TextEscape: Equatable {
    static let opening: UInt8 = 0xFE
    private static let separator: UInt8 = 0xFD
    private static let closing: UInt8 = 0xFF
    /// The length for four bytes and an offset of 64 bits.
    private static let maximumLength = 1 + 8 + 1 + 16 + 1

    /// The unit's bytes, one to four.
    var unit: [UInt8] = []
    /// The offset of the unit in the undecoded source.
    var offset = 0
    /// The number of bytes of the escape.
    private(set) var length = 0

    /// Reads the escape at `index`; nil if there is none or it is incomplete.
    init?(in text: UnsafeBufferPointer<UInt8>, at index: Int) {
        guard index < text.count, text[index] == Self.opening else { return nil }
        var high: UInt8?
        var isInOffset = false
        for position in index + 1..<min(text.count, index + Self.maximumLength) {
            let byte = text[position]
            switch byte {
            case 0x80...0x8F where isInOffset: offset = offset << 4 | Int(byte & 0x0F)
            case 0x80...0x8F:
                if let first = high {
                    unit.append(first << 4 | byte & 0x0F)
                    high = nil
                } else {
                    high = byte & 0x0F
                }
            case Self.separator where !isInOffset && high == nil: isInOffset = true
            case Self.closing where isInOffset:
                length = position + 1 - index
                return
            default: return nil
            }
        }
        return nil
    }

    /// Appends the escape of a unit.
    static func append(_ unit: some Collection<UInt8>, offset: Int, to output: inout [UInt8]) {
        output.append(opening)
        for byte in unit {
            output.append(0x80 | byte >> 4)
            output.append(0x80 | byte & 0x0F)
        }
        output.append(separator)
        // The offset without leading zero nibbles, the highest nibble first.
        var shift = max(0, (Int.bitWidth - 1 - offset.leadingZeroBitCount) / 4 * 4)
        while shift >= 0 {
            output.append(0x80 | UInt8(truncatingIfNeeded: offset >> shift) & 0x0F)
            shift -= 4
        }
        output.append(closing)
    }
}
