import GranaryBase

/// Converts the bytes of an XML document to valid UTF-8, in pieces.
///
/// libxml2 must not receive invalid UTF-8: it silently reads it as Latin-1, and FoundationXML traps on names that are
/// not UTF-8. UTF-16 is detected from its byte order mark, or from `<` as the first character.
struct XMLTextDecoder {
    enum Encoding { case utf8, utf16BigEndian, utf16LittleEndian }

    private(set) var encoding: Encoding?
    private let source: String
    /// An incomplete sequence at the end of the last piece.
    private var rest: [UInt8] = []
    private var place = LineColumn()
    private var byteOffset = 0

    init(source: String) { self.source = source }

    /// Decodes the next bytes. A byte order mark is dropped.
    ///
    /// - Throws: ``GranaryError`` with `encoding.invalid` at the first invalid byte.
    mutating func decode(_ raw: [UInt8], isLast: Bool, into output: inout [UInt8]) throws(GranaryError) {
        var bytes = rest + raw
        rest = []
        if encoding == nil {
            guard bytes.count >= 4 || isLast else {
                rest = bytes
                return
            }
            let (found, mark) = Self.detect(bytes)
            encoding = found
            bytes.removeFirst(mark)
            byteOffset = mark
        }
        let before = output.count
        switch encoding {
        case .utf16BigEndian: try decodeUTF16(bytes, high: 0, isLast: isLast, into: &output)
        case .utf16LittleEndian: try decodeUTF16(bytes, high: 1, isLast: isLast, into: &output)
        case .utf8, nil:
            let valid = bytes.withUnsafeBufferPointer { UTF8Text.firstInvalid(in: $0) } ?? bytes.count
            let isCutOff = bytes[valid...].withUnsafeBufferPointer { UTF8Text.isCutOff($0) }
            output.append(contentsOf: bytes[..<valid])
            byteOffset += valid
            if valid < bytes.count, isLast || !isCutOff {
                throw wrong("0x\(String(bytes[valid], radix: 16)) is not valid UTF-8", after: output[before...])
            }
            rest = Array(bytes[valid...])
        }
        place.advance(over: output[before...])
    }

    private static func detect(_ bytes: [UInt8]) -> (Encoding, mark: Int) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0x00, 0x3C]) { return (.utf16BigEndian, 0) }
        if bytes.starts(with: [0x3C, 0x00]) { return (.utf16LittleEndian, 0) }
        return (.utf8, 0)
    }

    /// - Parameter high: the index of the high byte in a pair of bytes, 0 or 1.
    private mutating func decodeUTF16(
        _ bytes: [UInt8], high: Int, isLast: Bool, into output: inout [UInt8]
    ) throws(GranaryError) {
        let before = output.count
        var index = 0
        func unit(_ index: Int) -> UInt32 { UInt32(bytes[index + high]) << 8 | UInt32(bytes[index + 1 - high]) }
        while index + 2 <= bytes.count {
            var value = unit(index)
            var length = 2
            if value & 0xFC00 == 0xD800 {
                guard index + 4 <= bytes.count else { break }
                let low = unit(index + 2)
                guard low & 0xFC00 == 0xDC00 else { break }
                value = 0x10000 + ((value & 0x3FF) << 10 | low & 0x3FF)
                length = 4
            }
            guard let scalar = Unicode.Scalar(value) else { break }
            output.append(contentsOf: UTF8.encode(scalar) ?? .init())
            index += length
        }
        byteOffset += index
        // The rest is an incomplete pair at the end of the piece, or invalid.
        let left = bytes.count - index
        guard left == 0 || (!isLast && left < 4 && (left < 2 || unit(index) & 0xFC00 == 0xD800)) else {
            throw wrong("invalid UTF-16", after: output[before...])
        }
        rest = Array(bytes[index...])
    }

    private mutating func wrong(_ message: String, after bytes: ArraySlice<UInt8>) -> GranaryError {
        place.advance(over: bytes)
        let at = PropertyListPlace(line: place.line, column: place.column, byteOffset: byteOffset)
        return PropertyListError.encoding(message, at, source)
    }
}
