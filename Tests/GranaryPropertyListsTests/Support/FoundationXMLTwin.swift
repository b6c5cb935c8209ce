import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// FoundationXML as the counterpart of `XMLPullParser`.
///
/// On Linux it crashes on processing instructions without data and on U+0000, and `XMLParser(data:)` fails above about
/// 0.9 MB.
final class FoundationXMLTwin: NSObject, XMLParserDelegate {
    private var traces: [XMLTrace] = []
    private var hasFailed = false
    private var hasElement = false
    private var depth = 0

    /// What FoundationXML reports; nil if it refuses the document.
    static func read(_ document: [UInt8]) -> [XMLTrace]? {
        let twin = FoundationXMLTwin()
        let parser = XMLParser(stream: InputStream(data: Data(document)))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = twin
        let isRead = parser.parse()
        // It reports nothing if the document ends too early.
        let isComplete = twin.hasElement && twin.depth == 0
        return isRead && isComplete && !twin.hasFailed && parser.parserError == nil ? twin.traces : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        traces.append(.start(name, attributes))
        hasElement = true
        depth += 1
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        traces.append(.end)
        depth -= 1
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { XMLTrace.append(text, to: &traces) }

    func parser(_ parser: XMLParser, foundIgnorableWhitespace text: String) { XMLTrace.append(text, to: &traces) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        XMLTrace.append(String(decoding: block, as: UTF8.self), to: &traces)
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        hasFailed = true
        parser.abortParsing()
    }
}
