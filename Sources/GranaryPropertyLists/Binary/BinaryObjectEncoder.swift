/// Encodes the objects of a binary property list, for both writers.
enum BinaryObjectEncoder {
    /// The number of bytes for a number: 1, 2, 4 or 8, as in CoreFoundation.
    static func size(_ value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }

    static func append(_ value: UInt64, size: Int, to output: inout [UInt8]) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// Appends a marker and a count: below 15 in the low half of the marker, otherwise as an integer after it.
    static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
        if count < 15 {
            output.append(kind | UInt8(count))
        } else {
            output.append(kind | 0x0F)
            appendInteger(Int64(count), to: &output)
        }
    }

    private static func appendInteger(_ value: Int64, to output: inout [UInt8]) {
        let bits = UInt64(bitPattern: value)
        let size = size(bits)
        append(marker: 0x10 | UInt8(size.trailingZeroBitCount), bits, size: size, to: &output)
    }

    /// Appends an object that contains no others. An array or a dictionary appends nothing.
    static func append(_ value: PropertyListValue, to output: inout [UInt8]) {
        switch value {
        case .string(let text): appendString(text, to: &output)
        case .integer(let value): appendInteger(value, to: &output)
        case .unsigned(let value): appendUnsigned(value, to: &output)
        case .real(let value): append(marker: 0x23, value.bitPattern, size: 8, to: &output)
        case .date(let seconds): append(marker: 0x33, seconds.bitPattern, size: 8, to: &output)
        case .data(let bytes):
            appendMarker(0x40, count: bytes.count, to: &output)
            output.append(contentsOf: bytes)
        case .boolean(let value): output.append(value ? 0x09 : 0x08)
        case .uid(let value):
            let size = size(value)
            append(marker: 0x80 | UInt8(size - 1), value, size: size, to: &output)
        case .array, .dictionary: break
        }
    }

    private static func append(marker: UInt8, _ value: UInt64, size: Int, to output: inout [UInt8]) {
        output.append(marker)
        append(value, size: size, to: &output)
    }

    private static func appendUnsigned(_ value: UInt64, to output: inout [UInt8]) {
        if let signed = Int64(exactly: value) { return appendInteger(signed, to: &output) }
        output.append(0x14)
        append(0, size: 8, to: &output)
        append(value, size: 8, to: &output)
    }

    private static func appendString(_ text: String, to output: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            appendMarker(0x50, count: text.utf8.count, to: &output)
            output.append(contentsOf: text.utf8)
        } else {
            appendMarker(0x60, count: text.utf16.count, to: &output)
            for unit in text.utf16 {
                output.append(UInt8(truncatingIfNeeded: unit >> 8))
                output.append(UInt8(truncatingIfNeeded: unit))
            }
        }
    }

    static func appendTrailer(
        offsetSize: Int, referenceSize: Int, objectCount: Int, root: Int, tableStart: UInt64, to output: inout [UInt8]
    ) {
        output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        append(UInt64(objectCount), size: 8, to: &output)
        append(UInt64(root), size: 8, to: &output)
        append(tableStart, size: 8, to: &output)
    }
}
