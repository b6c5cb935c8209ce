import GranaryBase

/// Parses the numbers and the data of an XML property list.
enum XMLScalarText {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// The text without surrounding white space, which CoreFoundation allows before a number.
    static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var slice = text[...]
        while let first = slice.first, isSpace(first) { slice.removeFirst() }
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return slice
    }

    /// Parses Base64 (RFC 4648) with white space anywhere; nil if it is invalid.
    static func data(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.filter { !isSpace($0) }
        var data: [UInt8] = []
        let isValid = digits.withUnsafeBufferPointer { (try? Base64Text.decode($0, into: &data)) != nil }
        return isValid ? data : nil
    }

    /// Parses a decimal or, after `0x`, hexadecimal integer with an optional sign.
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
            // 0xFF, above any radix, if the byte is not a digit.
            let digit = UInt64(ASCII.hexValue(byte))
            guard digit < radix else { return nil }
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

    /// The digits of a real, in the format of JSON, if its double is not the same number; otherwise nil.
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

    /// Parses a decimal number, or CoreFoundation's names of infinity and NaN. A number that is too large for a double
    /// is refused.
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
