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
    private let bytes: [UInt8]
    private let starts: [Int]
    private let ends: [Int]

    /// Reads a document.
    ///
    /// - Parameter syntax: the code of diagnostics about syntax errors.
    /// - Throws: ``GranaryError`` with code `refused` and one diagnostic with its position.
    package init(
        _ bytes: [UInt8], source: String, syntax: Diagnostic.Code, limits: XMLElementLimits = .standard
    ) throws(GranaryError) {
        self.bytes = bytes
        self.source = source
        guard bytes.count <= limits.bytes else {
            let message = "\(source): has more than \(limits.bytes) bytes, the limit for XML"
            throw GranaryError(Diagnostic(.limitExceeded, message))
        }
        let scan: XMLElementScan
        do throws(XMLElementScan.Refusal) {
            scan = try XMLElementScan(bytes, limits: limits)
        } catch {
            let position = Self.positions(at: [error.offset], in: bytes, source: source).first
            throw GranaryError(Diagnostic(error.code ?? syntax, "\(source): \(error.message)", at: position))
        }
        starts = scan.starts
        ends = scan.ends
        let builder = XMLElementTreeBuilder()
        if let fault = builder.parse(XMLElementProlog.withoutDeclaration(bytes)) {
            let position = SourcePosition(file: source, line: fault.line, column: fault.column)
            throw GranaryError(Diagnostic(syntax, "\(source): \(fault.message)", at: position))
        }
        elements = builder.elements
        // In the dictionary, names that differ only in Unicode composition (é, e and an accent) are one key.
        for (index, element) in elements.enumerated()
        where index >= starts.count || scan.attributeCounts[index] != element.attributes.count {
            let position = index < starts.count ? self.position(at: starts[index]) : nil
            throw GranaryError(
                Diagnostic(syntax, "\(source): two attributes of one element have the same name", at: position))
        }
    }

    /// The offset of an element's start tag, or of one of its attributes.
    package func offset(of element: Int, attribute: String? = nil) -> Int {
        guard starts.indices.contains(element) else { return 0 }
        return attribute.flatMap { attributeOffset($0, tag: starts[element]) } ?? starts[element]
    }

    /// The offset of an attribute in a well-formed start tag; nil if the tag has no such attribute.
    private func attributeOffset(_ name: String, tag: Int) -> Int? {
        func isEnd(_ byte: UInt8) -> Bool {
            XMLScalarText.isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
        }
        var index = tag + 1
        // Skips the name of the element.
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        while index < bytes.count {
            while index < bytes.count, XMLScalarText.isSpace(bytes[index]) { index += 1 }
            let start = index
            while index < bytes.count, !isEnd(bytes[index]), bytes[index] != UInt8(ascii: "=") { index += 1 }
            guard index > start else { return nil }
            if bytes[start..<index].elementsEqual(name.utf8) { return start }
            while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "'") {
                index += 1
            }
            guard index < bytes.count, let end = XMLElementScan.find(bytes[index], in: bytes, from: index + 1) else {
                return nil
            }
            index = end + 1
        }
        return nil
    }

    /// The source text of an element.
    package func text(of element: Int) -> String {
        guard starts.indices.contains(element), starts[element] < ends[element] else { return "" }
        return String(decoding: bytes[starts[element]..<ends[element]], as: UTF8.self)
    }

    package func position(at offset: Int) -> SourcePosition? { positions(at: [offset]).first }

    /// The positions of several offsets, computed in one pass over the document.
    package func positions(at offsets: [Int]) -> [SourcePosition] {
        Self.positions(at: offsets, in: bytes, source: source)
    }

    private static func positions(at offsets: [Int], in bytes: [UInt8], source: String) -> [SourcePosition] {
        var result = offsets.map { _ in SourcePosition(file: source, line: 1, column: 1) }
        var place = LineColumn()
        var index = 0
        for which in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            let offset = min(max(offsets[which], 0), bytes.count)
            place.advance(over: bytes[index..<offset])
            index = offset
            result[which].line = place.line
            result[which].column = place.column
            result[which].byteOffset = offset
        }
        return result
    }
}
