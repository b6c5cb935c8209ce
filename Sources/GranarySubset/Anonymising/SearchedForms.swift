/// The byte strings by which a replaced value is searched.
enum SearchedForms {
    /// A value of this length is searched in two halves.
    private static let halved = ReplacedValues.longest

    /// The bytes; of a text also UTF-16, as in binary property lists, and escaped as in JSON.
    ///
    /// SQLite divides long records between pages. Of two halves that touch, the end of a page can divide only one.
    static func of(_ value: ReplacedValues.Value) -> [[UInt8]] {
        forms(of: value).flatMap { form in
            guard value.bytes.count >= halved else { return [form] }
            return [Array(form[..<(form.count / 2)]), Array(form[(form.count / 2)...])]
        }
    }

    private static func forms(of value: ReplacedValues.Value) -> [[UInt8]] {
        // A piece of a long text can begin inside a character.
        guard value.isText, let text = String(validating: whole(value.bytes), as: UTF8.self) else {
            return [value.bytes]
        }
        let units = Array(text.utf16)
        var forms = [
            value.bytes,
            units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] },
            units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
        ]
        guard units.contains(where: { $0 > 0x7E || $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return forms }
        forms.append(escaped(units))
        return forms
    }

    /// The bytes without those of characters that are not whole.
    private static func whole(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
        guard bytes.count >= ReplacedValues.longest else { return bytes[...] }
        var result = bytes.drop(while: isContinuation)
        guard let start = result.lastIndex(where: { !isContinuation($0) }) else { return result }
        let length =
            switch bytes[start] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        if result.endIndex - start < length { result = result[..<start] }
        return result
    }

    private static func escaped(_ units: [UInt16]) -> [UInt8] {
        var text: [UInt8] = []
        for unit in units {
            switch unit {
            case 0x22, 0x5C: text += [0x5C, UInt8(truncatingIfNeeded: unit)]
            case 0x20...0x7E: text.append(UInt8(truncatingIfNeeded: unit))
            default:
                let digits = String(unit, radix: 16)
                text += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            }
        }
        return text
    }
}
