/// What people write around numbers: a currency sign or another text before or behind it, a sign behind it, and
/// parentheses around negative numbers.
package struct NumberAffixes: Sendable {
    /// The longest first, because one can begin with another.
    private let texts: [[UInt8]]

    package init(_ texts: [String]) {
        self.texts = texts.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    }

    /// The number alone, with its sign before it; nil if there is nothing else in the text, or if it is not of one of
    /// these forms.
    ///
    /// A text has one affix at most, and one sign: `-5 €`, `€ -5`, `5- €` and `(€ 5)` are numbers, `-5-` is not.
    package func number(in text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var rest = text[...]
        var isNegative: Bool?
        var hasAffix = false
        if rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")"), rest.count > 2 {
            rest = rest.dropFirst().dropLast()
            isNegative = true
        }
        var before: Int
        repeat {
            before = rest.count
            Self.trim(&rest)
            if isNegative == nil, let sign = Self.takeSign(&rest) { isNegative = sign }
            if !hasAffix { hasAffix = takeAffix(&rest) }
        } while rest.count < before
        guard let first = rest.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"), rest.count < text.count
        else { return nil }
        let number = (isNegative == true ? [UInt8(ascii: "-")] : []) + rest
        return number.elementsEqual(text) ? nil : number
    }

    private func takeAffix(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        for text in texts where text.count < rest.count {
            if rest.starts(with: text) {
                rest = rest.dropFirst(text.count)
                return true
            }
            if rest.suffix(text.count).elementsEqual(text) {
                rest = rest.dropLast(text.count)
                return true
            }
        }
        return false
    }

    /// The signs: hyphen-minus, plus and the minus sign U+2212.
    private static let signs: [(text: [UInt8], isNegative: Bool)] = [
        ([0x2D], true), ([0x2B], false), ([0xE2, 0x88, 0x92], true),
    ]
    /// Space, tab, and the no-break spaces U+00A0 and U+202F.
    private static let spaces: [[UInt8]] = [[0x20], [0x09], [0xC2, 0xA0], [0xE2, 0x80, 0xAF]]

    /// Whether the number is negative; nil if it has no sign at its ends.
    private static func takeSign(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool? {
        for (text, isNegative) in signs {
            if rest.starts(with: text) {
                rest = rest.dropFirst(text.count)
                return isNegative
            }
            if rest.suffix(text.count).elementsEqual(text) {
                rest = rest.dropLast(text.count)
                return isNegative
            }
        }
        return nil
    }

    private static func trim(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) {
        while let space = spaces.first(where: { rest.starts(with: $0) }) { rest = rest.dropFirst(space.count) }
        while let space = spaces.first(where: { rest.suffix($0.count).elementsEqual($0) }) {
            rest = rest.dropLast(space.count)
        }
    }
}
