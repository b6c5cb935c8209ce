import Foundation
package import GranaryBase

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads an XML property list as events, in memory that does not grow with the file.
///
/// The document goes through FoundationXML's parser in pieces. Before it, each byte is checked to be UTF-8 (or made
/// so from UTF-16) and the document type declaration is screened (``XMLProlog``); behind it, the first thing that
/// libxml2 would silently repair is an error. The document is Apple's: one value in a `plist` element
/// (PropertyList-1.0.dtd). Attributes, comments and processing instructions are passed over.
package enum XMLPropertyListReader {
    /// Gives the list's events in order.
    ///
    /// - Parameters:
    ///   - start: bytes that were read from `source` already.
    ///   - handle: takes the events; what it throws ends the reading.
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded` and the place, what
    ///   `source` throws, and what `handle` throws.
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
