package import GranaryBase

/// The elements of an XML document with their attributes, as a list in the order of their start tags.
///
/// It is used for small documents of elements, such as models. Text between tags is not kept, only noted. Property
/// lists have another reader (``XMLPropertyListReader``). The document must be UTF-8 and have no entity declarations.
package struct XMLElementTree: Sendable {
    package struct Element: Sendable {
        package let name: String
        package let attributes: [String: String]
        /// The indexes of its direct children.
        package internal(set) var children: [Int] = []
        /// Whether it contains text other than white space.
        package internal(set) var hasText = false
    }

    /// All elements; the first is the root.
    package let elements: [Element]
    /// The name of the document in messages.
    package let source: String
    /// The document without its byte order mark.
    private let text: [UInt8]
    private let markLength: Int
    /// The offsets of each element, from its `<` to the end of its end tag.
    private let ranges: [Range<Int>]

    /// Reads a document.
    ///
    /// - Parameter syntax: the code of diagnostics about syntax errors.
    /// - Throws: ``GranaryError`` with code `refused` and one diagnostic with its position.
    package init(
        _ bytes: [UInt8], source: String, syntax: Diagnostic.Code, limits: XMLElementLimits = .standard
    ) throws(GranaryError) {
        self.source = source
        guard bytes.count <= limits.bytes else {
            let message = "\(source): has more than \(limits.bytes) bytes, the limit for XML"
            throw GranaryError(Diagnostic(.limitExceeded, message))
        }
        let window = XMLWindow(document: bytes, source: source)
        let errors = XMLErrors(
            source: source, syntax: syntax, prefix: "\(source): ", malformedPrefix: "not well-formed XML: ")
        if let found = window.failure?.diagnostics.first {
            throw GranaryError(Diagnostic(found.code, "\(source): \(found.message)", at: found.position))
        }
        guard !window.isUTF16 else {
            throw errors.error(.encodingInvalid, "is UTF-16, but must be UTF-8", at: LineColumn())
        }
        // The window keeps all bytes of a document in memory, so that the parser's indexes are offsets in it.
        text = window.bytes
        markLength = bytes.count - text.count
        var parserLimits = XMLPullParserLimits()
        parserLimits.prologBytes = .max
        parserLimits.tagBytes = text.count + 1
        parserLimits.attributes = limits.attributes
        var parser = XMLPullParser(window, errors: errors, limits: parserLimits)
        var builder = XMLElementTreeBuilder(limits: limits)
        try builder.build(&parser)
        elements = builder.elements
        ranges = builder.ranges
    }

    /// The offset of an element's start tag, or of one of its attributes.
    package func offset(of element: Int, attribute: String? = nil) -> Int {
        guard ranges.indices.contains(element) else { return 0 }
        let start = ranges[element].lowerBound
        return attribute.flatMap { attributeOffset($0, tag: start) } ?? start
    }

    /// The offset of an attribute in a well-formed start tag; nil if the tag has no such attribute.
    private func attributeOffset(_ name: String, tag: Int) -> Int? {
        func isEnd(_ byte: UInt8) -> Bool {
            XMLScalarText.isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
        }
        var index = tag + 1
        // Skips the name of the element.
        while index < text.count, !isEnd(text[index]) { index += 1 }
        while index < text.count {
            while index < text.count, XMLScalarText.isSpace(text[index]) { index += 1 }
            let start = index
            while index < text.count, !isEnd(text[index]), text[index] != UInt8(ascii: "=") { index += 1 }
            guard index > start else { return nil }
            if text[start..<index].elementsEqual(name.utf8) { return start }
            while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "'") {
                index += 1
            }
            guard index < text.count, let end = text[(index + 1)...].firstIndex(of: text[index]) else {
                return nil
            }
            index = end + 1
        }
        return nil
    }

    /// The source text of an element.
    package func text(of element: Int) -> String {
        guard ranges.indices.contains(element) else { return "" }
        return String(decoding: text[ranges[element]], as: UTF8.self)
    }

    package func position(at offset: Int) -> SourcePosition? { positions(at: [offset]).first }

    /// The positions of several offsets, computed in one pass over the document.
    package func positions(at offsets: [Int]) -> [SourcePosition] {
        var result = offsets.map { _ in SourcePosition(file: source, line: 1, column: 1) }
        var place = LineColumn()
        var index = 0
        for which in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            let offset = min(max(offsets[which], 0), text.count)
            place.advance(over: text[index..<offset])
            index = offset
            result[which].line = place.line
            result[which].column = place.column
            result[which].byteOffset = markLength + offset
        }
        return result
    }

    /// The name of the root element of a UTF-8 document; nil if the first bytes do not contain it.
    package static func rootName(_ bytes: [UInt8]) -> String? {
        let window = XMLWindow(document: Array(bytes.prefix(XMLPullParserLimits.stream.prologBytes)), source: "")
        var parser = XMLPullParser(window, errors: XMLErrors(source: ""))
        // Errors after the prolog do not matter here.
        guard (try? parser.skipProlog()) != nil, !window.isUTF16 else { return nil }
        let name = parser.window.bytes[(parser.window.index + 1)...].prefix {
            $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return String(decoding: name.prefix(100), as: UTF8.self)
    }
}
