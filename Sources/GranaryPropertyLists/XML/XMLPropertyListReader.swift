import Foundation
package import GranaryBase

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads an XML property list as events, with memory that does not grow with the file.
///
/// FoundationXML parses the document in pieces. Before that, ``XMLScreen`` checks that the text is valid UTF-8, or
/// converts it from UTF-16, and checks the document type declaration. An error that libxml2 would silently repair
/// ends the reading. The document is in Apple's format: one value in a `plist` element (PropertyList-1.0.dtd).
/// Attributes, comments, and processing instructions in the prolog are ignored.
package enum XMLPropertyListReader {
    /// Calls `handle` for each event of the list in order.
    ///
    /// - Parameters:
    ///   - start: the bytes already read from `source`.
    ///   - handle: receives the events. An error ends the reading.
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded` and the position, and the
    ///   errors of `source` and `handle`.
    package static func forEachEvent(
        of source: ByteSource, start: [UInt8] = [], limits: PropertyListLimits = .standard,
        _ handle: PropertyListHandler
    ) throws(GranaryError) {
        let stream = ScreenedXMLStream(source, start: start)
        let failure = withoutActuallyEscaping(handle) { handle -> GranaryError? in
            let delegate = XMLPropertyListDelegate(stream, source: source.name, limits: limits, handle)
            let parser = XMLParser(stream: stream)
            parser.delegate = delegate
            parser.shouldResolveExternalEntities = false
            _ = parser.parse()
            return stream.failure ?? delegate.finish(parser)
        }
        if let failure { throw failure }
    }
}
