package import GranaryBase

/// The events of a property list in either format, one by one.
///
/// An XML list needs memory for one value, a binary list for the whole file. The first call of ``next()`` begins to
/// read.
package struct PropertyListEvents {
    private let limits: PropertyListLimits
    /// Nil after the format was detected.
    private var unread: ByteSource?
    private var xml: XMLPropertyListReader?
    private var binary: BinaryPropertyListWalk?
    private var hasFailed = false
    /// The format, known after the first event.
    private(set) var format: PropertyListFormat?

    /// Creates the events of a source, which must not be used elsewhere from now on.
    package init(_ source: ByteSource, limits: PropertyListLimits = .standard) {
        self.limits = limits
        unread = source
    }

    /// The next event; nil after the last, and after an error.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded` and the position, and the
    ///   errors of the source.
    package mutating func next() throws(GranaryError) -> PropertyListStep? {
        if hasFailed { return nil }
        hasFailed = true
        if let source = unread {
            unread = nil
            try open(source)
        }
        // The readers change in place: a copy of a reader would copy its buffers too.
        let step = try binary == nil ? xml?.next() : binary?.next()
        hasFailed = false
        return step ?? nil
    }

    private mutating func open(_ source: ByteSource) throws(GranaryError) {
        let start = try Self.firstBytes(of: source)
        format = PropertyListFormat.detect(start)
        switch format {
        case .binary:
            let bytes = start + (try source.readAll(limit: max(0, limits.fileBytes - start.count)))
            binary = try BinaryPropertyList(bytes, source: source.name).walk(limits: limits)
        case .xml: xml = XMLPropertyListReader(source, start: start, limits: limits)
        case nil:
            throw PropertyListError.syntax(
                "neither a binary nor an XML property list",
                PropertyListPlace(line: 1, column: 1, byteOffset: 0),
                source.name)
        }
    }

    /// Reads enough bytes to detect the format. A pipe can return fewer bytes than requested.
    private static func firstBytes(of source: ByteSource) throws(GranaryError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 512)
        while bytes.count < 512 {
            let count = try source.read(into: &chunk)
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }
}
