import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Collects the elements that libxml2 finds.
///
/// Namespaces stay what they are written as: prefixes in names. On Linux `XMLParser(data:)` fails above about
/// 0.9 MB, so it is fed by a stream; and `parse()` may be true for a document cut short, so the error decides.
final class XMLElementTreeBuilder: NSObject, XMLParserDelegate {
    struct Fault {
        var message: String
        var line: Int
        var column: Int
    }

    private(set) var elements: [XMLElementTree.Element] = []
    private var open: [Int] = []
    private var fault: Fault?

    /// Reads the document; gives what is wrong with it, nil when nothing is.
    func parse(_ bytes: [UInt8]) -> Fault? {
        let parser = XMLParser(stream: InputStream(data: Data(bytes)))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = self
        let isRead = parser.parse()
        if let fault { return fault }
        if let error = parser.parserError {
            let line = max(parser.lineNumber, 1)
            return Fault(message: Self.words(error), line: line, column: max(parser.columnNumber, 1))
        }
        guard isRead, !elements.isEmpty, open.isEmpty else {
            return Fault(message: "holds no XML element", line: 1, column: 1)
        }
        return nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        // libxml2 goes on after an error; what it says then is guessed.
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
        elements[element].hasText = text.utf8.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        if let element = open.last { elements[element].hasText = true }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if fault == nil {
            let line = max(parser.lineNumber, 1)
            fault = Fault(message: Self.words(error), line: line, column: max(parser.columnNumber, 1))
        }
        parser.abortParsing()
    }

    private static func words(_ error: any Error) -> String {
        "is not well-formed XML: \(XMLErrorText.sentence(for: error))"
    }
}
