import GranaryBase

/// Converts the bytes of an XML document to valid UTF-8 without U+0000, in pieces.
///
/// UTF-16 is detected from its byte order mark, or from `<` as the first character.
struct XMLTextDecoder {
    /// UTF-8 or UTF-16 with its byte order; nil before the first bytes.
    private(set) var encoding: TextEncoding?
    private let source: String
    private var decoder = TextDecoder(.utf8)
    /// An incomplete sequence at the end of the last piece.
    private var rest: [UInt8] = []
    private var place = LineColumn()
    private var byteOffset = 0

    init(source: String) { self.source = source }

    /// Decodes the next bytes and appends their text. A byte order mark is dropped.
    ///
    /// - Throws: ``GranaryError`` with `encoding.invalid` at the first invalid byte. `output` then ends with the text
    ///   before this byte.
    mutating func decode(_ raw: [UInt8], isLast: Bool, into output: inout [UInt8]) throws(GranaryError) {
        var bytes = rest + raw
        rest = []
        if encoding == nil {
            guard bytes.count >= 4 || isLast else {
                rest = bytes
                return
            }
            let found = Self.detect(bytes)
            encoding = found.encoding
            decoder = TextDecoder(found.encoding)
            bytes.removeFirst(found.mark)
            byteOffset = found.mark
        }
        let isUTF8 = encoding == .utf8
        let start = output.count
        let used = bytes.withUnsafeBufferPointer { decoder.decode($0, isLast: isLast, into: &output) }
        rest = Array(bytes[used...])
        // Invalid UTF-16 is now an escape, which is invalid UTF-8.
        if let invalid = output[start...].withUnsafeBufferPointer({ UTF8Text.firstInvalid(in: $0) }) {
            let end = start + invalid
            guard isUTF8, !isLast, output[end...].withUnsafeBufferPointer({ UTF8Text.isCutOff($0) }) else {
                let found = isUTF8 ? "0x\(String(output[end], radix: 16)) is not valid UTF-8" : "invalid UTF-16"
                throw wrong(found, start, end, &output)
            }
            rest = Array(output[end...])
            output.removeSubrange(end...)
        }
        if let zero = output[start...].withUnsafeBufferPointer({ UTF8Text.firstNUL(in: $0) }) {
            throw wrong("U+0000, which XML cannot contain", start, start + zero, &output)
        }
        place.advance(over: output[start...])
        byteOffset += output.count - start
    }

    /// The encoding of a document that begins with the bytes, and the length of its byte order mark.
    static func detect(_ bytes: [UInt8]) -> (encoding: TextEncoding, mark: Int) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
        if bytes.starts(with: [0x00, 0x3C]) { return (.utf16BE, 0) }
        if bytes.starts(with: [0x3C, 0x00]) { return (.utf16LE, 0) }
        return (.utf8, 0)
    }

    /// Returns the error about the byte at `end`. Removes this byte and the bytes after it from `output`.
    private mutating func wrong(
        _ message: String, _ start: Int, _ end: Int, _ output: inout [UInt8]
    ) -> GranaryError {
        // A U+0000 can precede the invalid byte that was found first.
        output.removeSubrange(end...)
        place.advance(over: output[start...])
        // In UTF-16 the text has another length than the document's bytes.
        let offset = encoding == .utf8 ? byteOffset + end - start : nil
        let at = PropertyListPlace(line: place.line, column: place.column, byteOffset: offset)
        return PropertyListError.encoding(message, at, source)
    }
}
