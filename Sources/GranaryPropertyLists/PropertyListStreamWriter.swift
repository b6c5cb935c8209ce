package import GranaryBase

/// Writes a property list of any size from events, in either format.
package struct PropertyListStreamWriter {
    private var binary: BinaryPropertyListStreamWriter?
    private var xml: XMLPropertyListWriter?

    package init(_ format: PropertyListFormat) {
        switch format {
        case .binary: binary = BinaryPropertyListStreamWriter()
        case .xml: xml = XMLPropertyListWriter()
        }
    }

    /// Writes the next event.
    ///
    /// - Throws: ``GranaryError`` for a value that the format cannot hold (``XMLPropertyListWriter/problem(with:)``,
    ///   ``BinaryPropertyListStreamWriter/write(_:into:)``).
    package mutating func write(_ event: PropertyListEvent, to output: ByteOutput) throws(GranaryError) {
        try binary?.write(event, into: &output.buffer)
        try xml?.write(event, into: &output.buffer)
        try output.flushIfFull()
    }

    /// Writes the end of the list. The caller finishes the output.
    package mutating func finish(_ output: ByteOutput) throws(GranaryError) {
        try xml?.finish(into: &output.buffer)
        // The table of offsets can be long, so it is written in pieces.
        var piece: [UInt8] = []
        try binary?.finish(into: &piece) { (piece) throws(GranaryError) in
            output.buffer.append(contentsOf: piece)
            piece.removeAll(keepingCapacity: true)
            try output.flushIfFull()
        }
        try output.flushIfFull()
    }
}
