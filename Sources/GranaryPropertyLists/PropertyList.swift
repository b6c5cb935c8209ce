package import GranaryBase

/// Reads and writes property lists, binary and XML: the way in for whoever does not care which.
///
/// Bytes are told apart by their first ones (``PropertyListFormat``); a binary list becomes a table
/// (``BinaryPropertyList``) and is walked, an XML one streams through FoundationXML (``XMLPropertyListReader``); both give
/// ``PropertyListEvent``s. Small lists are made into a ``PropertyListValue``. Writing goes the other way:
/// ``PropertyListStreamWriter`` takes events, ``write(_:as:)`` a tree.
package enum PropertyList {
    /// A small list as a tree.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded` and the place.
    package static func read(
        _ bytes: [UInt8], source: String, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> PropertyListValue {
        try read(from: ByteSource(bytes: bytes, name: source), limits: limits)
    }

    /// As ``read(_:source:limits:)``, from a file or a stream.
    package static func read(
        from source: ByteSource, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> PropertyListValue {
        let start = try firstBytes(of: source)
        let format = PropertyListFormat.detect(start)
        // A binary list has references of its own; in XML a dictionary stands for one.
        var builder = PropertyListTreeBuilder(source: source.name, limits: limits, readsReferences: format == .xml)
        try forEachEvent(of: source, start: start, format, limits) { (event, place) throws(GranaryError) in
            try builder.take(event, place)
        }
        guard let value = builder.value else {
            throw PropertyListError.syntax(
                "the list ends too early", PropertyListPlace(line: 1, column: 1), source.name)
        }
        return value
    }

    /// Gives the events of a list of any size. An XML list needs memory for one value, a binary one for the file.
    ///
    /// - Throws: as ``read(_:source:limits:)``, and what `handle` throws.
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
                "this is neither a binary nor an XML property list",
                PropertyListPlace(line: 1, column: 1, byteOffset: 0),
                source.name)
        }
    }

    /// A small list as bytes. The binary form is CoreFoundation's.
    ///
    /// - Throws: ``GranaryError`` for what an XML list cannot hold; ``XMLPropertyListWriter/problem(with:)`` says what.
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

    /// Enough to tell the format by; a pipe may give fewer bytes a time than asked for.
    private static func firstBytes(of source: ByteSource) throws(GranaryError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 512)
        while bytes.count < 512 {
            var problem: GranaryError?
            let count = chunk.withUnsafeMutableBytes { buffer in
                do throws(GranaryError) { return try source.read(into: buffer) } catch {
                    problem = error
                    return 0
                }
            }
            if let problem { throw problem }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }
}
