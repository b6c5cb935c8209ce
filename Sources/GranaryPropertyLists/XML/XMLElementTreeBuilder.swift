import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Collects the elements that libxml2 reports.
///
/// Namespace prefixes stay part of the names. On Linux `XMLParser(data:)` fails above about 0.9 MB, so the parser reads
/// a stream. `parse()` can return true for a truncated document, so the parser's error is checked too.
final class XMLElementTreeBuilder: NSObject, XMLParserDelegate {
    typealias Fault = (message: String, place: PropertyListPlace)

    private(set) var elements: [XMLElementTree.Element] = []
    private var open: [Int] = []
    private var fault: Fault?

    /// Parses a document and returns its first error; nil if there is none.
    func parse(_ bytes: [UInt8]) -> Fault? {
        let parser = XMLParser(stream: InputStream(data: Data(bytes)))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = self
        let isRead = parser.parse()
        if let fault { return fault }
        if let error = parser.parserError { return Self.fault(error, parser) }
        guard isRead, !elements.isEmpty, open.isEmpty else {
            return ("there is no XML element", parser.place)
        }
        return nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        // libxml2 continues after an error, but its further events are unreliable.
        guard fault == nil else { return }
        if let parent = open.last { elements[parent].children.append(elements.count) }
        open.append(elements.count)
        elements.append(XMLElementTree.Element(name: elementName, attributes: attributes))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        _ = open.popLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard let element = open.last, !elements[element].hasText else { return }
        elements[element].hasText = text.utf8.contains { !XMLScalarText.isSpace($0) }
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        if let element = open.last { elements[element].hasText = true }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if fault == nil { fault = Self.fault(error, parser) }
        parser.abortParsing()
    }

    private static func fault(_ error: any Error, _ parser: XMLParser) -> Fault {
        ("not well-formed XML: \(XMLErrorText.sentence(for: error))", parser.place)
    }
}
