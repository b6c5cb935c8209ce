/// What the first four bytes of a text say about its encoding.
package enum TextEncodingMark {
    /// How many bytes a UTF-8 byte order mark takes at the start: three or none. Decoded text has one wherever its source
    /// has a mark.
    package static func utf8Length(_ bytes: some Collection<UInt8>) -> Int {
        bytes.starts(with: utf8) ? utf8.count : 0
    }

    /// What a text that is no UTF-8 says it is, by its mark or by how it looks; nil for UTF-8 and what may be.
    package static func otherEncoding(_ bytes: some Collection<UInt8>) -> TextEncoding? {
        let found = mark(bytes, knowsUTF32: true)?.encoding ?? pattern(bytes)
        return found == .utf8 ? nil : found
    }

    /// Decides what a text is.
    ///
    /// A byte order mark decides, and what was declared must agree with it. Without one the declared encoding holds,
    /// or UTF-8, unless U+0000 beside ASCII shows that the text is UTF-16 or UTF-32: it would be read as nonsense, or
    /// refused a moment later with a less helpful message.
    ///
    /// - Parameters:
    ///   - start: the first four bytes, fewer where there are no more.
    ///   - declared: what the user says it is; nil for nothing.
    ///   - allowsNUL: whether U+0000 may stand in the text, so that it shows nothing.
    /// - Returns: the encoding with its byte order, and the bytes of the mark.
    /// - Throws: ``GranaryError`` with code `refused` and `encoding.invalid`.
    static func resolve(
        _ start: [UInt8], declared: TextEncoding?, allowsNUL: Bool, source: String
    ) throws(GranaryError) -> (encoding: TextEncoding, mark: [UInt8]) {
        // FF FE 00 00 may be UTF-16's mark and U+0000, where that may be.
        let knowsUTF32 = !allowsNUL || declared == nil || declared?.isUTF32 == true
        if let found = mark(start, knowsUTF32: knowsUTF32) {
            if let declared, declared != found.encoding, declared != found.encoding.withoutByteOrder {
                throw refusal(
                    "begins with the byte order mark of \(found.encoding.name), so it is not \(declared.name); leave "
                        + "--encoding away, or say --encoding \(found.encoding.optionName)", source)
            }
            return found
        }
        let assumed = (declared ?? .utf8).withByteOrder
        // UTF-16 and UTF-32 without a byte order are only assumed to be big-endian.
        let isGuess = declared.map { $0 != $0.withByteOrder } ?? false
        guard isGuess || !allowsNUL, let other = pattern(start), other != assumed else { return (assumed, []) }
        // Text that is not Latin may look like the other byte order.
        if !isGuess, assumed.isUTF16, other.isUTF16 { return (assumed, []) }
        throw refusal(
            "looks like \(other.name), not like \(assumed.name); if it is that, say --encoding \(other.optionName)",
            source)
    }

    private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func mark(
        _ bytes: some Collection<UInt8>, knowsUTF32: Bool
    ) -> (encoding: TextEncoding, mark: [UInt8])? {
        // UTF-32's little-endian mark begins with UTF-16's.
        let wide: [(TextEncoding, [UInt8])] = [(.utf32LE, [0xFF, 0xFE, 0, 0]), (.utf32BE, [0, 0, 0xFE, 0xFF])]
        let others: [(TextEncoding, [UInt8])] = [(.utf8, utf8), (.utf16LE, [0xFF, 0xFE]), (.utf16BE, [0xFE, 0xFF])]
        for (encoding, mark) in (knowsUTF32 ? wide : []) + others where bytes.starts(with: mark) {
            return (encoding, mark)
        }
        return nil
    }

    private static func pattern(_ bytes: some Collection<UInt8>) -> TextEncoding? {
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [false, true, false, true]: .utf16LE
        case [true, false, true, false]: .utf16BE
        case [false, true, true, true]: .utf32LE
        case [true, true, true, false]: .utf32BE
        default: nil
        }
    }

    private static func refusal(_ message: String, _ source: String) -> GranaryError {
        GranaryError(
            Diagnostic(
                .encodingInvalid, "the text \(message)",
                at: SourcePosition(file: source, line: 1, column: 1, byteOffset: 0)))
    }
}

extension TextEncoding {
    fileprivate var isUTF16: Bool { withoutByteOrder == .utf16 }
    fileprivate var isUTF32: Bool { withoutByteOrder == .utf32 }

    fileprivate var withoutByteOrder: TextEncoding {
        switch kind {
        case .utf16, .utf16LE, .utf16BE: .utf16
        case .utf32, .utf32LE, .utf32BE: .utf32
        default: self
        }
    }

    /// Big-endian where no byte order is said (RFC 2781, section 4.3).
    fileprivate var withByteOrder: TextEncoding {
        switch kind {
        case .utf16: .utf16BE
        case .utf32: .utf32BE
        default: self
        }
    }
}
