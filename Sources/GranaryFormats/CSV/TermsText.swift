/// Functions shared by ``TermsReader`` and ``TermsWriter``.
enum TermsText {
    /// The offset of the first `delimiter` at or after `start`.
    static func firstDelimiter(_ delimiter: [UInt8], in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let first = delimiter.first else { return nil }
        var index = start
        while index <= text.count - delimiter.count {
            if text[index] == first, text[index..<index + delimiter.count].elementsEqual(delimiter) { return index }
            index += 1
        }
        return nil
    }

    /// The parts of `text` separated by `delimiter`. There are at most `limit` parts; the last one contains the rest.
    static func parts(of text: UnsafeBufferPointer<UInt8>, by delimiter: [UInt8], limit: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while parts.count + 1 < limit, let end = firstDelimiter(delimiter, in: text, from: start) {
            parts.append(start..<end)
            start = end + delimiter.count
        }
        parts.append(start..<text.count)
        return parts
    }

    /// A sentence about wrong delimiters for a table with a number of columns, without the ordinals; nil if they are
    /// valid.
    static func problem(delimiter: String, fieldDelimiter: String?, columns: Int) -> String? {
        if delimiter.isEmpty { return "the delimiter between terms is empty" }
        guard let fieldDelimiter else {
            return columns > 1 ? "terms of several columns need a field delimiter" : nil
        }
        if fieldDelimiter.isEmpty { return "the field delimiter is empty" }
        if columns < 2 { return "a field delimiter needs terms of several columns" }
        let bytes = Array(fieldDelimiter.utf8)
        if bytes.contains(0x0A) || bytes.contains(0x0D) {
            return "a line end inside a term cannot be its field delimiter"
        }
        let inner = Array(delimiter.utf8)
        if bytes.withUnsafeBufferPointer({ firstDelimiter(inner, in: $0, from: 0) }) != nil {
            return "the field delimiter contains the delimiter between terms"
        }
        return nil
    }
}
