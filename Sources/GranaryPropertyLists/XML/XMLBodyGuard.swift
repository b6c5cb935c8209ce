import GranaryBase

/// Refuses input after the prolog that libxml2 and FoundationXML cannot handle.
///
/// - A processing instruction without data (`<?a?>`) crashes FoundationXML on Linux. Property lists have none.
/// - A U+0000 crashes libxml2 in some positions, and silently ends the text in others.
/// - libxml2 compares each attribute of a tag with all earlier ones: one tag with 400,000 attributes takes a minute. A
///   property list has only one attribute, `version`.
///
/// These checks are reliable only in a well-formed document. Therefore `<!` is refused unless it begins a comment or a
/// CDATA section, and `<` is refused inside a tag.
struct XMLBodyGuard {
    static let tagLimit = 1 << 16

    private enum State { case text, opened, tag, exclamation, comment, characters }

    private static let commentStart = Array("--".utf8)
    private static let charactersStart = Array("[CDATA[".utf8)

    private let source: String
    private var place: LineColumn
    private var state = State.text
    private var length = 0
    /// The number of consecutive `-` or `]` before this byte, up to two.
    private var closing = 0
    /// The quotation mark that ends the current attribute value; 0 outside values.
    private var quote: UInt8 = 0

    init(source: String, place: LineColumn) {
        self.source = source
        self.place = place
    }

    /// Checks the next bytes.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` or `limit.exceeded`.
    mutating func check(_ bytes: ArraySlice<UInt8>) throws(GranaryError) {
        for index in bytes.indices {
            guard let problem = problem(with: bytes[index]) else { continue }
            place.advance(over: bytes[..<index])
            let at = PropertyListPlace(line: place.line, column: place.column)
            throw problem.isLimit
                ? PropertyListError.limit(problem.message, at, source)
                : PropertyListError.syntax(problem.message, at, source)
        }
        place.advance(over: bytes)
    }

    private mutating func problem(with byte: UInt8) -> (message: String, isLimit: Bool)? {
        if byte == 0 { return ("U+0000, which XML cannot contain", false) }
        switch state {
        case .text:
            if byte == UInt8(ascii: "<") {
                state = .opened
                length = 0
                closing = 0
                quote = 0
            }
        case .opened:
            switch byte {
            case UInt8(ascii: "!"): state = .exclamation
            case UInt8(ascii: "?"): return ("a processing instruction, which a property list cannot have", false)
            // libxml2 reports the error in an empty tag.
            case UInt8(ascii: ">"): state = .text
            default: state = .tag
            }
        case .tag:
            length += 1
            if length > Self.tagLimit { return ("a tag has more than \(Self.tagLimit) bytes, the limit", true) }
            if byte == UInt8(ascii: "<") { return ("a < inside a tag", false) }
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                state = .text
            }
        case .exclamation:
            if length == 0 { closing = byte == Self.commentStart[0] ? 1 : 0 }
            let expected = closing == 1 ? Self.commentStart : Self.charactersStart
            guard byte == expected[length] else {
                return ("a declaration inside the root element", false)
            }
            length += 1
            if length == expected.count {
                state = closing == 1 ? .comment : .characters
                closing = 0
            }
        case .comment: close(byte, UInt8(ascii: "-"))
        case .characters: close(byte, UInt8(ascii: "]"))
        }
        return nil
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
