/// The separators of numbers in a file: the decimal separator, and the separator between groups of three digits.
package struct NumberFormat: Sendable, Hashable {
    package let decimalSeparator: Unicode.Scalar
    package let groupSeparator: Unicode.Scalar?

    /// `1234.5`: a point, no groups.
    package static let plain = NumberFormat()

    private init() {
        decimalSeparator = "."
        groupSeparator = nil
    }

    /// Returns nil if there is a ``problem(decimalSeparator:groupSeparator:)``.
    package init?(decimalSeparator: Unicode.Scalar, groupSeparator: Unicode.Scalar? = nil) {
        guard Self.problem(decimalSeparator: decimalSeparator, groupSeparator: groupSeparator) == nil else {
            return nil
        }
        self.decimalSeparator = decimalSeparator
        self.groupSeparator = groupSeparator
    }

    /// The reason why two separators cannot be used together; nil if they can.
    package static func problem(decimalSeparator: Unicode.Scalar, groupSeparator: Unicode.Scalar?) -> String? {
        if decimalSeparator == groupSeparator { return "the decimal and group separators must differ" }
        for separator in [decimalSeparator, groupSeparator].compactMap({ $0 }) where !canSeparate(separator) {
            return "\(CharacterName.phrase(separator)) cannot be a separator in numbers"
        }
        return nil
    }

    /// Whether a character can be a separator: not a digit, letter or sign, and outside ASCII a space or punctuation,
    /// such as U+00A0, U+202F and U+2019.
    private static func canSeparate(_ scalar: Unicode.Scalar) -> Bool {
        if let byte = UInt8(exactly: scalar.value), byte < 0x80 {
            return !ASCII.isDigit(byte) && !ASCII.isLetter(byte) && byte != ASCII.minus && byte != ASCII.plus
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .otherPunctuation, .initialPunctuation, .finalPunctuation: return true
        default: return false
        }
    }

    package var isPlain: Bool { groupSeparator == nil && decimalSeparator == "." }

    /// The same number in plain format: a point, no groups.
    ///
    /// Either all groups are separated or none: `1,234,567` and `1234567`, not `1234,567`. The parser checks the rest.
    package func plainText(of text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> [UInt8] {
        let decimal = Separator(decimalSeparator)
        let group = groupSeparator.map(Separator.init)
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
            if ASCII.isDigit(text[index]) {
                digits += 1
                result.append(text[index])
                index += 1
            } else if let group, group.begins(at: index, in: text) {
                guard groups == 0 ? (1...3).contains(digits) : digits == 3 else { throw Self.badGroup }
                groups += 1
                digits = 0
                index += group.count
            } else {
                break
            }
        }
        guard groups == 0 || digits == 3 else { throw Self.badGroup }
        if index < text.count {
            let isDecimal = decimal.begins(at: index, in: text)
            // A point that is not the separator of this format must not become one.
            guard isDecimal || text[index] != ASCII.point else {
                throw .syntax("a point that is not the decimal separator")
            }
            if isDecimal {
                result.append(ASCII.point)
                index += decimal.count
            }
            result.append(contentsOf: UnsafeBufferPointer(rebasing: text[index...]))
        }
        return result
    }

    private static let badGroup = ValueTextError.syntax("a group that does not have three digits")

    /// The UTF-8 bytes of a separator.
    private struct Separator {
        private let bytes: Unicode.UTF8.EncodedScalar
        let count: Int

        init(_ scalar: Unicode.Scalar) {
            bytes = Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter
            count = bytes.count
        }

        func begins(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
            text.count - index >= count && zip(bytes, text[index...]).allSatisfy(==)
        }
    }
}
