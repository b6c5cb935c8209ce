/// The byte strings by which a replaced value is searched.
enum SearchedForms {
    /// A value of this length is searched in two halves.
    private static let halved = ReplacedValues.longest

    /// Adds the bytes to a search; of a text also UTF-16, as in binary property lists, and escaped as in JSON.
    ///
    /// SQLite divides long records between pages. Of two halves that touch, the end of a page can divide only one.
    static func add(_ value: ReplacedValues.Value, to search: inout ByteSearch, identifier: Int) {
        func add(_ form: ArraySlice<UInt8>) {
            guard value.bytes.count >= halved else { return search.add(form, identifier: identifier) }
            let middle = form.startIndex + form.count / 2
            search.add(form[..<middle], identifier: identifier)
            search.add(form[middle...], identifier: identifier)
        }
        add(value.bytes)
        guard value.isText else { return }
        if value.bytes.allSatisfy({ $0 < 0x80 }) {
            // Both orders of the bytes of UTF-16 have this: a zero between two characters.
            var wide: [UInt8] = []
            wide.reserveCapacity(2 * value.bytes.count)
            var needsEscapes = false
            for byte in value.bytes {
                wide.append(byte)
                wide.append(0)
                needsEscapes = needsEscapes || isEscaped(UInt16(byte))
            }
            add(wide.dropLast())
            if needsEscapes { add(escaped(value.bytes.map { UInt16($0) })[...]) }
            return
        }
        // A piece of a long text can begin inside a character.
        guard let text = String(validating: whole(value.bytes), as: UTF8.self) else { return }
        let units = Array(text.utf16)
        add(units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }[...])
        add(units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }[...])
        if units.contains(where: isEscaped) { add(escaped(units)[...]) }
    }

    /// The bytes without those of characters that are not whole.
    private static func whole(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
        guard bytes.count >= ReplacedValues.longest else { return bytes }
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

    private static func isEscaped(_ unit: UInt16) -> Bool {
        unit > 0x7E || unit < 0x20 || unit == 0x22 || unit == 0x5C
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
