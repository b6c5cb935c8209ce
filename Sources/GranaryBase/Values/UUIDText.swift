package import Foundation

/// UUIDs as text: 8-4-4-4-12 hexadecimal digits (RFC 9562). Parsing accepts both cases; printing writes upper case, as
/// Foundation does.
package enum UUIDText {
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> UUID {
        guard text.count == 36 else { throw .syntax("not the 36 characters of a UUID") }
        let hyphen = ASCII.minus
        guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else {
            throw .syntax("no hyphens after 8, 12, 16 and 20 digits")
        }
        // The value of an invalid digit has its high bits set. They are checked once, at the end.
        var faults: UInt8 = 0
        let value = ASCII.hexValues.withUnsafeBufferPointer { values in
            @inline(__always)
            func byte(_ index: Int) -> UInt8 {
                let high = values[Int(text[index])]
                let low = values[Int(text[index &+ 1])]
                faults |= high | low
                return high << 4 | low & 0x0F
            }
            return UUID(
                uuid: (
                    byte(0), byte(2), byte(4), byte(6), byte(9), byte(11), byte(14), byte(16),
                    byte(19), byte(21), byte(24), byte(26), byte(28), byte(30), byte(32), byte(34)
                ))
        }
        guard faults & 0xF0 == 0 else { throw .syntax("not a hexadecimal digit") }
        return value
    }

    package static func append(_ value: UUID, to output: inout [UInt8]) {
        output.append(atMost: longest) { write(value, at: $0) }
    }

    /// The number of bytes that ``write(_:at:)`` writes.
    static var longest: Int { 36 }

    /// Writes the 36 characters of a UUID and returns their number.
    static func write(_ value: UUID, at place: UnsafeMutablePointer<UInt8>) -> Int {
        withUnsafeBytes(of: value.uuid) { bytes in
            var count = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    place[count] = ASCII.minus
                    count &+= 1
                }
                place[count] = digit(bytes[index] >> 4)
                place[count &+ 1] = digit(bytes[index] & 0x0F)
                count &+= 2
            }
            return count
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? nibble &+ ASCII.zero : nibble &+ 0x37
    }
}
