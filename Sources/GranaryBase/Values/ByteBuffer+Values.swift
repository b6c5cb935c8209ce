import GranaryCBytes
package import Foundation

/// The texts of values, as the functions of the same names append them to arrays.
extension ByteBuffer {
    package mutating func append(integer value: Int64) {
        append(atMost: IntegerText.longest) { IntegerText.write(value, at: $0) }
    }

    package mutating func append(boolean value: Bool) {
        append(atMost: BooleanText.longest) { BooleanText.write(value, at: $0) }
    }

    package mutating func append(double value: Double) {
        append(atMost: FloatingText.longest) { FloatingText.write(value, at: $0) }
    }

    package mutating func append(float value: Float) {
        append(atMost: FloatingText.longest) { FloatingText.write(value, at: $0) }
    }

    package mutating func append(uuid value: UUID) {
        append(atMost: UUIDText.longest) { UUIDText.write(value, at: $0) }
    }

    /// Appends a date in ISO 8601.
    ///
    /// - Returns: false, and appends nothing, if the year is outside 0000 to 9999 or the fraction has more than 6
    ///   digits. ``DateText/append(_:to:)`` writes the latter.
    package mutating func append(date seconds: Double) -> Bool {
        let count = count
        append(atMost: DateText.longest) { DateText.write(seconds, at: $0) }
        return self.count > count
    }

    /// Appends a text that is not empty and contains no delimiter, quote or line end.
    ///
    /// - Returns: false, and appends nothing, for any other text.
    package mutating func append(
        plainField text: UnsafeBufferPointer<UInt8>, delimiter: UInt8, quote: UInt8
    ) -> Bool {
        guard let start = text.baseAddress, !text.isEmpty else { return false }
        var isPlain = false
        append(atMost: text.count) { place in
            isPlain =
                granary_copy_field(place, start, text.count, delimiter, quote, granary_line_ends) == text.count
            return isPlain ? text.count : 0
        }
        return isPlain
    }

    /// Appends a text as a JSON string.
    ///
    /// - Returns: false, and appends nothing, if it contains characters that must be escaped.
    package mutating func append(jsonString text: UnsafeBufferPointer<UInt8>) -> Bool {
        var isPlain = true
        append(atMost: text.count + 2) { place in
            let quote = UInt8(ascii: "\"")
            place[0] = quote
            if let start = text.baseAddress {
                isPlain =
                    granary_copy_field(
                        place + 1, start, text.count, quote, UInt8(ascii: "\\"), granary_controls) == text.count
            }
            place[text.count &+ 1] = quote
            return isPlain ? text.count &+ 2 : 0
        }
        return isPlain
    }
}
