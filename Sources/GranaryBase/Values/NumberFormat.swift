/// The separators of numbers in a file: the decimal separator, and the separator between groups of three digits.
package struct NumberFormat: Sendable, Hashable {
    package let decimalSeparator: UInt8
    package let groupSeparator: UInt8?

    /// `1234.5`: a point, no groups.
    package static let plain = NumberFormat()

    private init() {
        decimalSeparator = ASCII.point
        groupSeparator = nil
    }

    /// Returns nil if the separators are the same, or one is a digit, a sign, a letter or not ASCII.
    package init?(decimalSeparator: UInt8, groupSeparator: UInt8? = nil) {
        func isUsable(_ byte: UInt8) -> Bool {
            byte < 0x80 && !ASCII.isDigit(byte) && !ASCII.isLetter(byte) && byte != ASCII.minus && byte != ASCII.plus
        }
        guard isUsable(decimalSeparator), groupSeparator.map(isUsable) ?? true, groupSeparator != decimalSeparator
        else { return nil }
        self.decimalSeparator = decimalSeparator
        self.groupSeparator = groupSeparator
    }

    package var isPlain: Bool { groupSeparator == nil && decimalSeparator == ASCII.point }

    /// The same number in plain format: a point, no groups.
    ///
    /// Either all groups are separated or none: `1,234,567` and `1234567`, not `1234,567`. The parser checks the rest.
    func plain(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        if let first = text.first, first == ASCII.minus || first == ASCII.plus {
            result.append(first)
            index = 1
        }
        var groups = 0
        var digits = 0
        while index < text.count {
            let byte = text[index]
            if ASCII.isDigit(byte) {
                digits += 1
                result.append(byte)
            } else if byte == groupSeparator {
                guard groups == 0 ? (1...3).contains(digits) : digits == 3 else { throw Self.badGroup }
                groups += 1
                digits = 0
            } else {
                break
            }
            index += 1
        }
        guard groups == 0 || digits == 3 else { throw Self.badGroup }
        if index < text.count {
            // A point that is not the separator of this format must not become one.
            guard text[index] == decimalSeparator || text[index] != ASCII.point else {
                throw .syntax("a point that is not the decimal separator")
            }
            result.append(text[index] == decimalSeparator ? ASCII.point : text[index])
            result.append(contentsOf: UnsafeBufferPointer(rebasing: text[(index + 1)...]))
        }
        return result
    }

    private static let badGroup = ValueTextError.syntax("a group that does not have three digits")
}
