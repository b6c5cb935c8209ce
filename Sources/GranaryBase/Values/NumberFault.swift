/// The reasons for which a text is not a number, for messages.
enum NumberFault {
    /// The reason at the first byte that cannot follow the bytes before it.
    ///
    /// - Parameter isWhole: whether only a whole number is accepted.
    @inline(never)
    static func reason(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int, isWhole: Bool
    ) -> ValueTextError {
        guard index < text.count else { return .syntax("no digits") }
        if let surplus = surplus(text, at: index) { return .syntax("remove \"\(Diagnostic.shortened(surplus))\"") }
        switch text[index] {
        case ASCII.space: return .syntax("a space")
        case ASCII.point where isWhole:
            let fraction = text[(index + 1)...]
            let isZero = !fraction.isEmpty && fraction.allSatisfy { $0 == ASCII.zero }
            return .syntax(isZero ? "a decimal point in a whole number" : "not a whole number")
        case UInt8(ascii: "e") where isWhole, UInt8(ascii: "E") where isWhole:
            return .syntax("an exponent in a whole number")
        case ASCII.point:
            return .syntax(
                index == 0 || !ASCII.isDigit(text[index - 1]) ? "no digit before the point" : "a second point")
        case 0x80...:
            let scalar = String(decoding: text[index...], as: UTF8.self).unicodeScalars.first
            return .syntax(scalar.map { CharacterName.phrase($0) + ", is not a digit" } ?? "not a digit")
        default: return .syntax("not a digit")
        }
    }

    /// A currency symbol with its spaces, before or after all digits: `$`, ` €`. Nil if there is none.
    private static func surplus(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> String? {
        func isSurplus(_ part: String) -> Bool {
            var hasSymbol = false
            for scalar in part.unicodeScalars {
                switch scalar.properties.generalCategory {
                case .currencySymbol: hasSymbol = true
                case .spaceSeparator: continue
                default: return false
                }
            }
            return hasSymbol
        }
        guard text.count <= 200 else { return nil }
        let after = String(decoding: text[index...], as: UTF8.self)
        if index > 0, ASCII.isDigit(text[index - 1]) { return isSurplus(after) ? after : nil }
        let before = String(decoding: text[..<(text.firstIndex(where: ASCII.isDigit) ?? text.count)], as: UTF8.self)
        return index == 0 && isSurplus(before) ? before : nil
    }
}
