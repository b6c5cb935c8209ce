import GranaryBase

/// Checks what stands before the root element and takes out what libxml2 must not see.
///
/// A document type declaration with a subset of its own can declare entities: bombs that expand without end, or
/// names of files. FoundationXML on Linux neither reports such declarations nor gives what they stand for, so the
/// text would be lost silently. They are refused here. The usual `<!DOCTYPE plist PUBLIC …>` is checked and
/// blanked out with spaces, which keeps lines and columns; so are processing instructions, see ``XMLBodyGuard``.
struct XMLProlog {
    /// More than this before the root element is refused.
    static let limit = 1 << 16

    private let source: String
    /// How far it is looked through; at the end, where the root element begins.
    private(set) var index = 0
    private var hasDocumentType = false

    init(source: String) { self.source = source }

    /// Goes on through the prolog.
    ///
    /// - Returns: whether it is over; if not, call again when there are more bytes.
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded`.
    mutating func screen(_ bytes: inout [UInt8], wasUTF16: Bool, isLast: Bool) throws(GranaryError) -> Bool {
        while true {
            while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
            let rest = bytes[index...]
            // The longest word that tells what comes is `<!DOCTYPE`.
            guard rest.count >= 9 || isLast else { return try waits(bytes) }
            let end: Int?
            if rest.starts(with: "<?".utf8) {
                end = Self.end(of: "?>", in: bytes, from: index + 2)
                if let end {
                    if index == 0, Self.isDeclaration(rest) {
                        try checkEncoding(bytes[..<end], wasUTF16: wasUTF16)
                    }
                    // It is UTF-8 by now, whatever a declaration says; and libxml2 crashes on some names of encodings.
                    Self.blank(&bytes, index..<end)
                }
            } else if rest.starts(with: "<!--".utf8) {
                end = Self.end(of: "-->", in: bytes, from: index + 4)
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                end = try documentTypeEnd(bytes)
                if let end {
                    guard !hasDocumentType else { throw wrong("a second document type declaration", bytes) }
                    hasDocumentType = true
                    Self.blank(&bytes, index..<end)
                }
            } else if rest.first == UInt8(ascii: "<") {
                if bytes[..<index].contains(0) { throw wrong("U+0000, which no XML can hold", bytes) }
                return true
            } else {
                throw wrong("this is no XML: it does not begin with an element", bytes)
            }
            guard let end else {
                if isLast { throw wrong("the document ends before its root element", bytes) }
                return try waits(bytes)
            }
            index = end
        }
    }

    private func waits(_ bytes: [UInt8]) throws(GranaryError) -> Bool {
        if bytes.count > Self.limit {
            throw PropertyListError.limit(
                "more than \(Self.limit) bytes stand before the root element, the limit", place(in: bytes), source)
        }
        return false
    }

    /// Where the declaration at `index` ends; quoted names may hold any character.
    private func documentTypeEnd(_ bytes: [UInt8]) throws(GranaryError) -> Int? {
        var quote: UInt8 = 0
        for position in index..<bytes.count {
            let byte = bytes[position]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw wrong("the document type declares entities or elements of its own, which is refused", bytes)
            } else if byte == UInt8(ascii: "<"), position > index {
                throw wrong("the document type declaration has no end", bytes)
            } else if byte == UInt8(ascii: ">") {
                return position + 1
            }
        }
        return nil
    }

    private func checkEncoding(_ declaration: ArraySlice<UInt8>, wasUTF16: Bool) throws(GranaryError) {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let name = text.split(separator: "encoding", maxSplits: 1).dropFirst().first else { return }
        let parts = name.split(whereSeparator: { "=\"' \t\r\n".contains($0) })
        guard let encoding = parts.first else { return }
        let known = wasUTF16 ? ["utf-16", "utf-16le", "utf-16be"] : ["utf-8", "utf8", "us-ascii", "ascii"]
        guard known.contains(String(encoding)) else {
            throw PropertyListError.encoding(
                "the encoding \"\(Diagnostic.shortened(String(encoding)))\" is not \(known[0]), as the bytes are",
                PropertyListPlace(line: 1, column: 1, byteOffset: 0), source)
        }
    }

    private static func isDeclaration(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.dropFirst(5).first.map(isSpace) == true
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        var position = start
        while position + wanted.count <= bytes.count {
            if bytes[position] == wanted[0], bytes[position..<position + wanted.count].elementsEqual(wanted) {
                return position + wanted.count
            }
            position += 1
        }
        return nil
    }

    private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>) {
        for position in range where !isSpace(bytes[position]) { bytes[position] = 0x20 }
    }

    /// Where ``index`` stands.
    func textPlace(in bytes: [UInt8]) -> TextPlace {
        var place = TextPlace()
        place.advance(over: bytes[..<min(index, bytes.count)])
        return place
    }

    private func place(in bytes: [UInt8]) -> PropertyListPlace {
        let place = textPlace(in: bytes)
        return PropertyListPlace(line: place.line, column: place.column)
    }

    private func wrong(_ message: String, _ bytes: [UInt8]) -> GranaryError {
        PropertyListError.syntax(message, place(in: bytes), source)
    }
}
