import GranaryBase
import GranaryModel
import GranarySQLite

/// Conversions between storage classes as SQLite does them (https://www.sqlite.org/c3ref/column_blob.html), as far as
/// the result has the whole value.
enum ClassConversion {
    /// The integer that a text spells, with spaces around it; nil if the text has anything else.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        Int64(String(decoding: trimmed(text), as: UTF8.self))
    }

    /// The number that a text spells, with spaces around it; nil if the text has anything else.
    static func real(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let digits = trimmed(text)
        // Swift also reads `inf`, `nan` and hexadecimal numbers.
        let isDecimal = digits.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite else {
            return nil
        }
        return number
    }

    /// The text of a number, as SQLite writes it.
    static func text(_ value: ColumnValue) -> [UInt8] {
        switch value {
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): SQL.text(of: number)
        case .null, .text, .blob: []
        }
    }

    /// SQLite skips spaces around numbers.
    private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var rest = text[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
