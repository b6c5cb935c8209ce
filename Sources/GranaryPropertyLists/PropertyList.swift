package import GranaryBase

/// Reads and writes property lists in either format, binary or XML.
///
/// The format is detected from the first bytes (``PropertyListFormat``). A binary list is read as a table
/// (``BinaryPropertyList``), an XML list is streamed (``XMLPropertyListReader``). ``PropertyListEvents`` pulls the
/// ``PropertyListEvent``s of both. Small lists become a ``PropertyListValue``. For writing,
/// ``PropertyListStreamWriter`` takes events and ``write(_:as:)`` a tree.
package enum PropertyList {
    /// Receives the events of a reader. An error ends the reading and is rethrown.
    package typealias Handler = (PropertyListEvent, PropertyListPlace) throws(GranaryError) -> Void

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
        var events = PropertyListEvents(source, limits: limits)
        var next = try events.next()
        // A binary list has a type for references; in XML a dictionary represents one.
        var builder = PropertyListTreeBuilder(
            source: source.name, limits: limits, readsReferences: events.format == .xml)
        while let step = next {
            try builder.take(step.event, step.place)
            next = try events.next()
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
        of source: ByteSource, limits: PropertyListLimits = .standard, _ handle: PropertyList.Handler
    ) throws(GranaryError) {
        var events = PropertyListEvents(source, limits: limits)
        while let step = try events.next() { try handle(step.event, step.place) }
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
}
