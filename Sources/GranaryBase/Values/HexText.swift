/// Binary data as hexadecimal digits (RFC 4648 section 8). Parsing accepts both cases; printing writes lower case.
package enum HexText {
    /// Appends the decoded bytes. Appends nothing if it throws.
    package static func decode(
        _ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
    ) throws(ValueTextError) {
        guard text.count & 1 == 0 else { throw .syntax("an odd number of hexadecimal digits") }
        let start = output.count
        output.reserveCapacity(start + text.count / 2)
        var faults: UInt8 = 0
        ASCII.hexValues.withUnsafeBufferPointer { values in
            var index = 0
            while index < text.count {
                let high = values[Int(text[index])]
                let low = values[Int(text[index &+ 1])]
                faults |= high | low
                output.append(high << 4 | low & 0x0F)
                index &+= 2
            }
        }
        guard faults & 0xF0 == 0 else {
            output.removeSubrange(start...)
            throw .syntax("not a hexadecimal digit")
        }
    }

    package static func encode(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count * 2)
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 0x0F))
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? nibble &+ ASCII.zero : nibble &+ 0x57
    }
}
