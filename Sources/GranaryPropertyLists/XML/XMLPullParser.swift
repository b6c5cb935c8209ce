import GranaryBase

/// Reads an XML document as a sequence of tags and texts, in bounded memory and without recursion.
///
/// It accepts only well-formed documents of XML 1.0 without entity declarations, whose prefixes are declared. Names
/// follow the fifth edition. Of the XML declaration and of the document type declaration it checks only what decides how
/// to read on: the encoding, quotation marks and the end. It refuses three parts of documents although they are
/// well-formed: a document type declaration with an internal subset, a processing instruction after the start of the
/// root element, and a tag or prolog beyond its limit. It never reads an external subset.
///
/// The accessors of a token are valid until the next call of ``next()``. After an error the parser must not be used.
struct XMLPullParser {
    enum Token {
        /// A start tag, with ``name`` and ``attributes``. An end tag follows even if the tag is empty (`<a/>`).
        case startTag
        case endTag
        /// A part of a text (``appendText(to:)``), with references and line ends replaced. A text can have several
        /// parts. White space outside the root element is not a token.
        case text
        case end
    }

    enum Phase { case prolog, content, characterData }

    let errors: XMLErrors
    let limits: XMLPullParserLimits
    var window: XMLWindow
    var phase = Phase.prolog
    var hasRoot = false
    /// The names of the open elements one after the other, and the start of each.
    var openNames: [UInt8] = []
    var openStarts: [Int] = []
    var namespaces = XMLNamespaces()

    /// The tag from its `<` to its `>`, in the window's bytes.
    var tag = 0..<0
    var nameRange = 0..<0
    var attributes: [XMLAttribute] = []
    /// The values of the tag's attributes one after the other.
    var attributeValues: [UInt8] = []
    /// Whether the last token was the start of an empty tag. The next token is then its end tag.
    var isEmptyTag = false
    /// The current part of a text, in the window's bytes; used if `replacement` is empty.
    var textRange = 0..<0
    /// The current part of a text if it differs from the window's bytes, as after a reference; otherwise empty.
    var replacement: [UInt8] = []

    init(_ window: XMLWindow, errors: XMLErrors, limits: XMLPullParserLimits = .stream) {
        self.window = window
        self.errors = errors
        self.limits = limits
    }

    /// Reads the next token.
    ///
    /// - Throws: ``GranaryError`` with the code of `errors`, `encoding.invalid` or `limit.exceeded`, and the errors of
    ///   the source.
    mutating func next() throws(GranaryError) -> Token {
        if phase == .prolog {
            try skipProlog()
            phase = .content
        } else if isEmptyTag {
            isEmptyTag = false
            closeElement()
            return .endTag
        }
        while true {
            if phase == .characterData {
                if try readCharacterData() { return .text }
                continue
            }
            guard let byte = try window.peek(0) else {
                try checkEnd()
                return .end
            }
            switch byte {
            case UInt8(ascii: "<"):
                if let token = try readMarkup() { return token }
            case _ where openStarts.isEmpty:
                // The root element has ended.
                guard XMLScalarText.isSpace(byte) else { throw malformed("content after the root element") }
                window.index += 1
            case UInt8(ascii: "&"):
                try readReference()
                return .text
            default:
                if try readText() { return .text }
            }
        }
    }

    /// Reads the markup that begins with the `<` at the window's index.
    ///
    /// - Returns: nil if the markup is a comment or the start of a CDATA section, which are not tokens.
    private mutating func readMarkup() throws(GranaryError) -> Token? {
        switch try window.peek(1) {
        case UInt8(ascii: "/"):
            try readEndTag()
            return .endTag
        case UInt8(ascii: "!"):
            if try window.begins(with: Self.commentStart) {
                guard try skipComment() else { throw malformed("a comment is not terminated") }
            } else if try window.begins(with: Self.characterDataStart) {
                guard !openStarts.isEmpty else { throw malformed("a CDATA section outside the root element") }
                window.index += Self.characterDataStart.count
                phase = .characterData
            } else {
                throw refused("a declaration that is not allowed here")
            }
            return nil
        case UInt8(ascii: "?"):
            throw refused("a processing instruction, allowed only before the root element")
        default:
            try readStartTag()
            return .startTag
        }
    }

    private func checkEnd() throws(GranaryError) {
        guard let start = openStarts.last else { return }
        let name = Diagnostic.shortened(String(decoding: openNames[start...], as: UTF8.self))
        throw malformed("the document ends before </\(name)>")
    }

    mutating func closeElement() {
        namespaces.close(depth: openStarts.count)
        if let start = openStarts.popLast() { openNames.removeLast(openNames.count - start) }
    }

    // MARK: Errors

    /// - Parameter index: the index of the error; nil for the window's index.
    func malformed(_ message: String, at index: Int? = nil) -> GranaryError {
        errors.malformed(message, at: window.place(at: index ?? window.index))
    }

    func refused(_ message: String, at index: Int? = nil) -> GranaryError {
        errors.refused(message, at: window.place(at: index ?? window.index))
    }

    func limit(_ message: String, at index: Int? = nil) -> GranaryError {
        errors.limit(message, at: window.place(at: index ?? window.index))
    }

    static let commentStart = Array("<!--".utf8)
    static let characterDataStart = Array("<![CDATA[".utf8)
    static let documentTypeStart = Array("<!DOCTYPE".utf8)
}
