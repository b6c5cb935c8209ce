/// Objects of a binary property list as bytes; both writers use it.
enum BinaryObjectEncoder {
    /// The bytes that hold a number: 1, 2, 4 or 8, as CoreFoundation sizes them.
    static func size(_ value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }

    static func append(_ value: UInt64, size: Int, to output: inout [UInt8]) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// A marker with a count: in its low half, or as an integer behind it from 15 on.
    static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
        if count < 15 {
            output.append(kind | UInt8(count))
        } else {
            output.append(kind | 0x0F)
            appendInteger(Int64(count), to: &output)
        }
    }

    static func appendInteger(_ value: Int64, to output: inout [UInt8]) {
        let bits = UInt64(bitPattern: value)
        let size = size(bits)
        output.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(bits, size: size, to: &output)
    }

    static func appendUnsigned(_ value: UInt64, to output: inout [UInt8]) {
        if let signed = Int64(exactly: value) { return appendInteger(signed, to: &output) }
        output.append(0x14)
        append(0, size: 8, to: &output)
        append(value, size: 8, to: &output)
    }

    static func appendReal(_ value: Double, to output: inout [UInt8]) {
        output.append(0x23)
        append(value.bitPattern, size: 8, to: &output)
    }

    static func appendDate(_ seconds: Double, to output: inout [UInt8]) {
        output.append(0x33)
        append(seconds.bitPattern, size: 8, to: &output)
    }

    static func appendBoolean(_ value: Bool, to output: inout [UInt8]) {
        output.append(value ? 0x09 : 0x08)
    }

    static func appendUID(_ value: UInt64, to output: inout [UInt8]) {
        let size = size(value)
        output.append(0x80 | UInt8(size - 1))
        append(value, size: size, to: &output)
    }

    static func appendData(_ bytes: [UInt8], to output: inout [UInt8]) {
        appendMarker(0x40, count: bytes.count, to: &output)
        output.append(contentsOf: bytes)
    }

    static func appendString(_ text: String, to output: inout [UInt8]) {
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

/// Text that compares and hashes by its bytes: as `String`s, a composed and a decomposed letter are one key.
struct ByteText: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
