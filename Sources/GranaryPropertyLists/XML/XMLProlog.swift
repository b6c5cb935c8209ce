import GranaryBase

/// Checks the content before the root element, and removes the parts that libxml2 must not read.
///
/// A document type declaration with an internal subset can declare entities, which can expand to huge text or refer to
/// files. FoundationXML on Linux neither reports nor expands them, so the text would be lost silently. Such
/// declarations are refused. The usual `<!DOCTYPE plist PUBLIC …>` is checked and replaced by spaces, so that lines and
/// columns stay the same. Processing instructions are replaced too (``XMLBodyGuard``).
struct XMLProlog {
    /// The maximum number of bytes before the root element.
    static let limit = 1 << 16

    private let source: String
    /// Whether a processing instruction without data is refused, not only removed.
    private let refusesEmptyInstructions: Bool
    /// The number of bytes checked. After the prolog, it is the offset of the root element.
    private(set) var index = 0
    private var hasDocumentType = false

    init(source: String, refusesEmptyInstructions: Bool) {
        self.source = source
        self.refusesEmptyInstructions = refusesEmptyInstructions
    }

    /// Continues to check the prolog.
    ///
    /// - Returns: whether the prolog has ended. If not, call it again with more bytes.
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded`.
    mutating func screen(_ bytes: inout [UInt8], wasUTF16: Bool, isLast: Bool) throws(GranaryError) -> Bool {
        while true {
            while index < bytes.count, XMLScalarText.isSpace(bytes[index]) { index += 1 }
            let rest = bytes[index...]
            // The longest keyword is `<!DOCTYPE`.
            guard rest.count >= 9 || isLast else { return try waits(bytes) }
            let end: Int?
            if rest.starts(with: "<?".utf8) {
                end = Self.end(of: "?>", in: bytes, from: index + 2)
                if let end {
                    let data = bytes[(index + 2)..<(end - 2)].drop { !XMLScalarText.isSpace($0) }
                    if refusesEmptyInstructions, data.allSatisfy(XMLScalarText.isSpace) {
                        throw wrong("a processing instruction without data", bytes)
                    }
                    if index == 0, Self.isDeclaration(rest) {
                        try checkEncoding(bytes[..<end], wasUTF16: wasUTF16)
                    }
                    // The bytes are UTF-8 now, whatever the declaration says. libxml2 also crashes on some encoding
                    // names.
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
                return true
            } else {
                throw wrong("not XML: it does not begin with an element", bytes)
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
                "there are more than \(Self.limit) bytes before the root element, the limit", place(in: bytes), source)
        }
        return false
    }

    /// The offset after the declaration at `index`; nil if it is incomplete. Quoted names can contain any character.
    private func documentTypeEnd(_ bytes: [UInt8]) throws(GranaryError) -> Int? {
        var quote: UInt8 = 0
        for position in index..<bytes.count {
            let byte = bytes[position]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw wrong("the document type declares entities or elements, which is not allowed", bytes)
            } else if byte == UInt8(ascii: "<"), position > index {
                throw wrong("the document type declaration is not terminated", bytes)
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
                "the encoding \"\(Diagnostic.shortened(String(encoding)))\" does not match the bytes, which are \(known[0])",
                PropertyListPlace(line: 1, column: 1, byteOffset: 0), source)
        }
    }

    private static func isDeclaration(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.dropFirst(5).first.map(XMLScalarText.isSpace) == true
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
        for position in range where !XMLScalarText.isSpace(bytes[position]) { bytes[position] = 0x20 }
    }

    /// The line and column of ``index``.
    func lineColumn(in bytes: [UInt8]) -> LineColumn {
        var place = LineColumn()
        place.advance(over: bytes[..<min(index, bytes.count)])
        return place
    }

    private func place(in bytes: [UInt8]) -> PropertyListPlace {
        let place = lineColumn(in: bytes)
        return PropertyListPlace(line: place.line, column: place.column)
    }

    private func wrong(_ message: String, _ bytes: [UInt8]) -> GranaryError {
        PropertyListError.syntax(message, place(in: bytes), source)
    }
}
