import GranaryBase

/// Numbers as an XML property list writes them.
enum XMLScalarText {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Without the white space around it, which CoreFoundation allows before a number.
    static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var slice = text[...]
        while let first = slice.first, isSpace(first) { slice.removeFirst() }
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return slice
    }

    /// Decimal or, after `0x`, hexadecimal, with a sign or without.
    static func integer(_ text: [UInt8]) -> PropertyListEvent? {
        var digits = trimmed(text)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        var radix: UInt64 = 10
        if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            digits.removeFirst(2)
            radix = 16
        }
        guard !digits.isEmpty else { return nil }
        var magnitude: UInt64 = 0
        for byte in digits {
            guard let digit = digitValue(byte), digit < radix else { return nil }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            magnitude = sum
        }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
        }
        return Int64(exactly: magnitude).map(PropertyListEvent.integer) ?? .unsigned(magnitude)
    }

    private static func digitValue(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x41...0x46: UInt64(byte - 0x41 + 10)
        case 0x61...0x66: UInt64(byte - 0x61 + 10)
        default: nil
        }
    }

    /// The digits of a real that its double does not keep, in the form that numbers have in JSON; nil where it keeps them.
    static func digits(_ text: [UInt8], besides value: Double) -> [UInt8]? {
        guard value.isFinite else { return nil }
        var digits = trimmed(text)[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let mantissa = digits.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        var parts = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        parts[0] = parts[0].drop { $0 == UInt8(ascii: "0") }
        var number = isNegative ? [UInt8(ascii: "-")] : []
        number += parts[0].isEmpty ? [UInt8(ascii: "0")] : Array(parts[0])
        if parts.count > 1, !parts[1].isEmpty { number += [UInt8(ascii: ".")] + parts[1] }
        number += digits[mantissa.endIndex...]
        let exact = number.withUnsafeBufferPointer { try? DecimalText.parse($0) }
        return exact != nil && exact == ExactDecimal(shortest: value) ? nil : number
    }

    /// Decimal, or CoreFoundation's names for what is no finite number. A number too large for a double is refused.
    static func real(_ text: [UInt8]) -> Double? {
        let word = String(decoding: trimmed(text), as: UTF8.self)
        switch word.lowercased() {
        case "nan", "+nan", "-nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: break
        }
        let allowed = word.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || "+-.eE".utf8.contains(byte)
        }
        guard allowed, let value = Double(word), value.isFinite else { return nil }
        return value
    }
}
