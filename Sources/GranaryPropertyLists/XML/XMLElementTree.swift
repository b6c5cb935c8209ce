package import GranaryBase

/// The elements of an XML document with their attributes, flat, in the order of their start tags.
///
/// For documents that are small and made of elements, such as models; text between tags is noticed, not kept.
/// Property lists have a reader of their own. Only UTF-8; entity declarations are refused.
package struct XMLElementTree: Sendable {
    package struct Element: Sendable {
        package let name: String
        package let attributes: [String: String]
        /// Indexes of the elements that stand directly in it.
        package internal(set) var children: [Int] = []
        /// Whether it holds text other than white space.
        package internal(set) var hasText = false
    }

    /// All elements; the first is the root.
    package let elements: [Element]
    /// The document's name for messages.
    package let source: String
    private let bytes: [UInt8]
    private let starts: [Int]
    private let ends: [Int]

    /// Reads a document.
    ///
    /// - Parameter syntax: the code of diagnostics about what is not well formed.
    /// - Throws: ``GranaryError`` with code `refused` and one diagnostic with its place.
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
        // A dictionary takes names that differ only in composition (e, e and an accent) for one.
        for (index, element) in elements.enumerated()
        where index >= starts.count || scan.attributeCounts[index] != element.attributes.count {
            let position = index < starts.count ? self.position(at: starts[index]) : nil
            throw GranaryError(
                Diagnostic(syntax, "\(source): two attributes of one element have the same name", at: position))
        }
    }

    /// The byte where an element's start tag begins, or one of its attributes.
    package func offset(of element: Int, attribute: String? = nil) -> Int {
        guard starts.indices.contains(element) else { return 0 }
        guard let attribute else { return starts[element] }
        return XMLElementAttributeSearch.offset(of: attribute, in: bytes, tag: starts[element]) ?? starts[element]
    }

    /// An element as it is written in the document.
    package func text(of element: Int) -> String {
        guard starts.indices.contains(element), starts[element] < ends[element] else { return "" }
        return String(decoding: bytes[starts[element]..<ends[element]], as: UTF8.self)
    }

    package func position(at offset: Int) -> SourcePosition? { positions(at: [offset]).first }

    /// Lines and columns of many places in one pass over the document.
    package func positions(at offsets: [Int]) -> [SourcePosition] {
        Self.positions(at: offsets, in: bytes, source: source)
    }

    private static func positions(at offsets: [Int], in bytes: [UInt8], source: String) -> [SourcePosition] {
        var result = offsets.map { _ in SourcePosition(file: source, line: 1, column: 1) }
        var line = 1
        var lineStart = 0
        var index = 0
        for which in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            let offset = min(max(offsets[which], 0), bytes.count)
            while index < offset {
                if bytes[index] == UInt8(ascii: "\n") {
                    line += 1
                    lineStart = index + 1
                }
                index += 1
            }
            result[which].line = line
            result[which].column = offset - lineStart + 1
            result[which].byteOffset = offset
        }
        return result
    }
}
