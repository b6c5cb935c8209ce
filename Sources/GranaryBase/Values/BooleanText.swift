/// Booleans as text: a fixed list of words, in any ASCII case.
package enum BooleanText {
    /// `true`, `yes`, `1`; `false`, `no`, `0`.
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Bool {
        switch text.count {
        case 1 where text[0] == UInt8(ascii: "1"): return true
        case 1 where text[0] == ASCII.zero: return false
        case 2 where matches(text, "no"): return false
        case 3 where matches(text, "yes"): return true
        case 4 where matches(text, "true"): return true
        case 5 where matches(text, "false"): return false
        default: throw .syntax("not one of true, false, yes, no, 1, 0")
        }
    }

    /// Appends `true` or `false`.
    package static func append(_ value: Bool, to output: inout [UInt8]) {
        output.append(atMost: longest) { write(value, at: $0) }
    }

    /// The largest number of bytes that ``write(_:at:)`` writes.
    static var longest: Int { 5 }

    /// Writes `true` or `false` and returns the number of bytes.
    static func write(_ value: Bool, at place: UnsafeMutablePointer<UInt8>) -> Int {
        let text: StaticString = value ? "true" : "false"
        place.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        return text.utf8CodeUnitCount
    }

    /// Compares a text with a word of the same length, ignoring case.
    private static func matches(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
        for index in 0..<text.count where ASCII.lowercased(text[index]) != word.utf8Start[index] { return false }
        return true
    }
}
