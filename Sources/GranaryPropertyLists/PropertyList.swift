package import GranaryBase

/// Reads and writes property lists in either format, binary or XML.
///
/// The format is detected from the first bytes (``PropertyListFormat``). A binary list is read as a table
/// (``BinaryPropertyList``), an XML list is streamed through FoundationXML (``XMLPropertyListReader``); both produce
/// ``PropertyListEvent``s. Small lists become a ``PropertyListValue``. For writing, ``PropertyListStreamWriter`` takes
/// events and ``write(_:as:)`` a tree.
package enum PropertyList {
    /// Reads a small list as a tree.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded` and the position.
    package static func read(
        _ bytes: [UInt8], source: String, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> PropertyListValue {
        try read(from: ByteSource(bytes: bytes, name: source), limits: limits)
    }

    /// Reads a small list as a tree, as ``read(_:source:limits:)``.
    package static func read(
        from source: ByteSource, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> PropertyListValue {
        let start = try firstBytes(of: source)
        let format = PropertyListFormat.detect(start)
        // A binary list has a type for references; in XML a dictionary represents one.
        var builder = PropertyListTreeBuilder(source: source.name, limits: limits, readsReferences: format == .xml)
        try forEachEvent(of: source, start: start, format, limits) { (event, place) throws(GranaryError) in
            try builder.take(event, place)
        }
        guard let value = builder.value else {
            throw PropertyListError.syntax(
                "the list is truncated", PropertyListPlace(line: 1, column: 1), source.name)
        }
        return value
    }

    /// Calls `handle` for each event of a list of any size. An XML list needs memory for one value, a binary list for
    /// the whole file.
    ///
    /// - Throws: as ``read(_:source:limits:)``, and the errors of `handle`.
    package static func forEachEvent(
        of source: ByteSource, limits: PropertyListLimits = .standard, _ handle: PropertyListHandler
    ) throws(GranaryError) {
        let start = try firstBytes(of: source)
        try forEachEvent(of: source, start: start, PropertyListFormat.detect(start), limits, handle)
    }

    private static func forEachEvent(
        of source: ByteSource, start: [UInt8], _ format: PropertyListFormat?, _ limits: PropertyListLimits,
        _ handle: PropertyListHandler
    ) throws(GranaryError) {
        switch format {
        case .binary:
            let bytes = start + (try source.readAll(limit: max(0, limits.fileBytes - start.count)))
            try BinaryPropertyList(bytes, source: source.name).forEachEvent(limits: limits, handle)
        case .xml: try XMLPropertyListReader.forEachEvent(of: source, start: start, limits: limits, handle)
        case nil:
            throw PropertyListError.syntax(
                "neither a binary nor an XML property list",
                PropertyListPlace(line: 1, column: 1, byteOffset: 0),
                source.name)
        }
    }

    /// Returns the bytes of a small list. A binary list has CoreFoundation's layout.
    ///
    /// - Throws: ``GranaryError`` for a value that an XML list cannot hold (``XMLPropertyListWriter/problem(with:)``).
    package static func write(
        _ value: PropertyListValue, as format: PropertyListFormat
    ) throws(GranaryError) -> [UInt8] {
        if format == .binary { return BinaryPropertyListWriter.write(value) }
        var output: [UInt8] = []
        var writer = XMLPropertyListWriter()
        try value.forEachEvent { (event) throws(GranaryError) in try writer.write(event, into: &output) }
        try writer.finish(into: &output)
        return output
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
