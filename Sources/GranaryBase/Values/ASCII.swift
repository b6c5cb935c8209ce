/// ASCII characters and their classes, for parsing values.
package enum ASCII {
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")

    /// The lower-case letter of an upper-case letter; any other byte unchanged.
    @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit, either case; 0xFF for any other byte.
    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt8 {
        let digit = byte &- 0x30
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : 0xFF
    }

    /// ``hexValue(_:)`` of each byte. A table avoids branches, which a processor cannot predict for hexadecimal digits.
    static let hexValues: [UInt8] = (UInt8.min...UInt8.max).map { hexValue($0) }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
