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
    /// The document without its byte order mark, and with spaces in place of parts of its prolog.
    private let text: [UInt8]
    private let markLength: Int
    private let ranges: XMLElementRanges

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
        var text: [UInt8] = []
        var screen = XMLScreen(source: source, elements: limits)
        do throws(GranaryError) { try screen.take(bytes, isLast: true, into: &text) } catch {
            let found = error.diagnostics.first
            let code = found.flatMap { $0.code == .plistSyntax ? nil : $0.code } ?? syntax
            throw GranaryError(Diagnostic(code, "\(source): \(error.message)", at: found?.position))
        }
        guard !screen.isUTF16, let ranges = screen.body?.elements else {
            let start = SourcePosition(file: source, line: 1, column: 1)
            throw GranaryError(Diagnostic(.encodingInvalid, "\(source): is UTF-16, but must be UTF-8", at: start))
        }
        self.text = text
        self.ranges = ranges
        markLength = bytes.count - text.count
        let builder = XMLElementTreeBuilder()
        if let fault = builder.parse(text) {
            throw PropertyListError.error(syntax, "\(source): \(fault.message)", fault.place, source)
        }
        elements = builder.elements
        // In the dictionary, names that differ only in Unicode composition (é, e and an accent) are one key.
        for (index, element) in elements.enumerated()
        where index >= ranges.starts.count || ranges.attributeCounts[index] != element.attributes.count {
            let message = "\(source): two attributes of one element have the same name"
            throw GranaryError(Diagnostic(syntax, message, at: position(at: offset(of: index))))
        }
    }

    /// The offset of an element's start tag, or of one of its attributes.
    package func offset(of element: Int, attribute: String? = nil) -> Int {
        guard ranges.starts.indices.contains(element) else { return 0 }
        let start = ranges.starts[element]
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
        guard ranges.starts.indices.contains(element) else { return "" }
        return String(decoding: text[ranges.starts[element]..<ranges.ends[element]], as: UTF8.self)
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
        var text: [UInt8] = []
        var screen = XMLScreen(source: "")
        // Errors after the prolog do not matter here.
        try? screen.take(Array(bytes.prefix(XMLProlog.limit)), isLast: false, into: &text)
        guard screen.body != nil, !screen.isUTF16 else { return nil }
        let name = text[(screen.prolog.index + 1)...].prefix {
            $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return String(decoding: name.prefix(100), as: UTF8.self)
    }
}
