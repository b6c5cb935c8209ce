/// Detects the encoding of a text from its first four bytes.
package enum TextEncodingMark {
    /// The length of a UTF-8 byte order mark at the start: 3 or 0. Decoded text has this mark if its source has any
    /// mark.
    package static func utf8Length(_ bytes: some Collection<UInt8>) -> Int {
        bytes.starts(with: utf8) ? utf8.count : 0
    }

    /// The encoding that a byte order mark or the positions of zero bytes indicate; nil if the text can be UTF-8.
    package static func otherEncoding(_ bytes: some Collection<UInt8>) -> TextEncoding? {
        let found = mark(bytes, knowsUTF32: true)?.encoding ?? pattern(bytes)
        return found == .utf8 ? nil : found
    }

    /// Returns the encoding of a text.
    ///
    /// A byte order mark determines the encoding, and the declared encoding must agree with it. Without a mark, it is
    /// the declared encoding or UTF-8. A text is refused if zero bytes beside ASCII indicate UTF-16 or UTF-32 instead:
    /// it would be decoded to nonsense, or refused later with a less helpful message.
    ///
    /// - Parameters:
    ///   - start: the first four bytes; fewer if the text is shorter.
    ///   - declared: the encoding that the caller has given; nil if none.
    ///   - allowsNUL: whether the text may contain U+0000. If so, zero bytes do not indicate an encoding.
    /// - Returns: the encoding with its byte order, and the bytes of the mark.
    /// - Throws: ``GranaryError`` with code `refused` and `encoding.invalid`.
    static func resolve(
        _ start: [UInt8], declared: TextEncoding?, allowsNUL: Bool, source: String
    ) throws(GranaryError) -> (encoding: TextEncoding, mark: [UInt8]) {
        // FF FE 00 00 is the mark of UTF-32LE, or the mark of UTF-16LE and U+0000.
        let knowsUTF32 = !allowsNUL || declared == nil || declared?.isUTF32 == true
        if let found = mark(start, knowsUTF32: knowsUTF32) {
            if let declared, declared != found.encoding, declared != found.encoding.withoutByteOrder {
                throw refusal(
                    "begins with the byte order mark of \(found.encoding.name), so it is not \(declared.name)",
                    found.encoding, source)
            }
            return found
        }
        let assumed = (declared ?? .utf8).withByteOrder
        // UTF-16 and UTF-32 without a byte order are only assumed to be big-endian.
        let isGuess = declared.map { $0 != $0.withByteOrder } ?? false
        guard isGuess || !allowsNUL, let other = pattern(start), other != assumed else { return (assumed, []) }
        // Text in a script other than Latin can look like the other byte order.
        if !isGuess, assumed.isUTF16, other.isUTF16 { return (assumed, []) }
        throw refusal("looks like \(other.name), not like \(assumed.name)", other, source)
    }

    private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func mark(
        _ bytes: some Collection<UInt8>, knowsUTF32: Bool
    ) -> (encoding: TextEncoding, mark: [UInt8])? {
        // The mark of UTF-32LE begins with the mark of UTF-16LE, so it is compared first.
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

    private static func refusal(_ message: String, _ likely: TextEncoding, _ source: String) -> GranaryError {
        GranaryError(
            Diagnostic(
                .encodingInvalid, "the text \(message)",
                at: SourcePosition(file: source, line: 1, column: 1, byteOffset: 0),
                help: "--encoding \(likely.optionName)"))
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

    /// The encoding with big-endian order if it has none (RFC 2781, section 4.3).
    fileprivate var withByteOrder: TextEncoding {
        switch kind {
        case .utf16: .utf16BE
        case .utf32: .utf32BE
        default: self
        }
    }
}
