import GranaryBase

/// Refuses input after the prolog that libxml2 and FoundationXML cannot handle.
///
/// - A processing instruction without data (`<?a?>`) crashes FoundationXML on Linux. Neither property lists nor models
///   have any.
/// - libxml2 compares each attribute of a tag with all earlier ones: one tag with 400,000 attributes takes a minute. A
///   property list has only one attribute, `version`.
///
/// These checks are reliable only in a well-formed document. Therefore `<!` is refused unless it begins a comment or a
/// CDATA section, and `<` is refused inside a tag.
struct XMLBodyGuard {
    /// The maximum number of bytes of a tag, unless the elements have limits.
    static let tagLimit = 1 << 16

    private enum State { case text, opened, tag, exclamation, comment, characters }

    private static let commentStart = Array("--".utf8)
    private static let charactersStart = Array("[CDATA[".utf8)

    private let source: String
    private let tagLimit: Int
    /// The elements so far; nil if they are not located.
    private(set) var elements: XMLElementRanges?
    private var place: LineColumn
    private var state = State.text
    private var length = 0
    /// The number of `=` in this tag outside values.
    private var attributes = 0
    /// The number of consecutive `-` or `]` before this byte, up to two.
    private var closing = 0
    /// The quotation mark that ends the current attribute value; 0 outside values.
    private var quote: UInt8 = 0

    init(source: String, place: LineColumn, elements: XMLElementLimits?) {
        self.source = source
        self.place = place
        self.elements = elements.map { XMLElementRanges(limits: $0) }
        tagLimit = elements?.bytes ?? Self.tagLimit
    }

    /// Checks the next bytes. If the elements are located, these must be all bytes.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` or `limit.exceeded`.
    mutating func check(_ bytes: ArraySlice<UInt8>) throws(GranaryError) {
        for index in bytes.indices where state != .text || bytes[index] == UInt8(ascii: "<") {
            try check(bytes[index], at: index, in: bytes)
        }
        place.advance(over: bytes)
    }

    /// Checks a byte. In text it must be a `<`; the others are skipped, as most bytes of a document are text.
    private mutating func check(_ byte: UInt8, at index: Int, in bytes: ArraySlice<UInt8>) throws(GranaryError) {
        func wrong(_ code: Diagnostic.Code, _ message: String, at offset: Int) -> GranaryError {
            place.advance(over: bytes[..<offset])
            let at = PropertyListPlace(line: place.line, column: place.column)
            return PropertyListError.error(code, message, at, source)
        }
        switch state {
        case .text:
            state = .opened
            length = 0
            attributes = 0
            closing = 0
            quote = 0
        case .opened:
            switch byte {
            case UInt8(ascii: "!"): state = .exclamation
            case UInt8(ascii: "?"):
                throw wrong(.plistSyntax, "a processing instruction, allowed only before the root element", at: index)
            // libxml2 reports the error in an empty tag.
            case UInt8(ascii: ">"): state = .text
            default: state = .tag
            }
        case .tag:
            length += 1
            if length > tagLimit {
                throw wrong(.limitExceeded, "a tag has more than \(tagLimit) bytes, the limit", at: index)
            }
            if byte == UInt8(ascii: "<") { throw wrong(.plistSyntax, "a < inside a tag", at: index) }
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "=") {
                attributes += 1
            } else if byte == UInt8(ascii: ">") {
                state = .text
                let start = index - length - 1
                if let limit = elements?.add(tag: bytes[start...index], attributes: attributes) {
                    throw wrong(.limitExceeded, limit, at: start)
                }
            }
        case .exclamation:
            if length == 0 { closing = byte == Self.commentStart[0] ? 1 : 0 }
            let expected = closing == 1 ? Self.commentStart : Self.charactersStart
            guard byte == expected[length] else {
                throw wrong(.plistSyntax, "a declaration inside the root element", at: index)
            }
            length += 1
            if length == expected.count {
                state = closing == 1 ? .comment : .characters
                closing = 0
            }
        case .comment: close(byte, UInt8(ascii: "-"))
        case .characters: close(byte, UInt8(ascii: "]"))
        }
    }

    private mutating func close(_ byte: UInt8, _ mark: UInt8) {
        if byte == mark {
            closing = min(closing + 1, 2)
        } else {
            if byte == UInt8(ascii: ">"), closing == 2 { state = .text }
            closing = 0
        }
    }
}
