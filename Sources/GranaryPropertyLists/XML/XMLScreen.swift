import GranaryBase

/// Screens an XML document before libxml2 reads it: its encoding, its prolog and its tags.
struct XMLScreen {
    private let source: String
    private let elements: XMLElementLimits?
    private var decoder: XMLTextDecoder
    private(set) var prolog: XMLProlog
    /// Nil before the end of the prolog.
    private(set) var body: XMLBodyGuard?

    /// - Parameter elements: limits, if the elements are located. The document must then be taken whole.
    init(source: String, elements: XMLElementLimits? = nil) {
        self.source = source
        self.elements = elements
        decoder = XMLTextDecoder(source: source)
        prolog = XMLProlog(source: source, refusesEmptyInstructions: elements != nil)
    }

    /// Whether the document is UTF-16.
    var isUTF16: Bool { decoder.encoding != nil && decoder.encoding != .utf8 }

    /// Screens the next bytes and appends their text. Until the prolog has ended, `text` must keep it.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded`.
    mutating func take(_ bytes: [UInt8], isLast: Bool, into text: inout [UInt8]) throws(GranaryError) {
        var start = text.count
        try decoder.decode(bytes, isLast: isLast, into: &text)
        if body == nil {
            guard try prolog.screen(&text, wasUTF16: isUTF16, isLast: isLast) else { return }
            start = prolog.index
            body = XMLBodyGuard(source: source, place: prolog.lineColumn(in: text), elements: elements)
        }
        try body?.check(text[start...])
    }
}
