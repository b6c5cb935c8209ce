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

    /// Writes the bytes of a source as data, in pieces if their number is known.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` if the source has another number of bytes than at first; also
    ///   as ``write(_:to:)``.
    package mutating func write(dataOf source: ByteSource, to output: ByteOutput) throws(GranaryError) {
        guard let count = source.byteCount else {
            return try write(.data(try source.readAll(limit: Int(UInt32.max))), to: output)
        }
        try binary?.beginData(count, into: &output.buffer)
        try xml?.beginData(into: &output.buffer)
        var total = 0
        // Whole lines of XML: each has a multiple of three bytes.
        let size = xml.map { $0.bytesInLine << 10 } ?? 1 << 16
        try source.forEachPiece(of: size) { (piece) throws(GranaryError) in
            total += piece.count
            if binary != nil { output.buffer.append(contentsOf: piece) }
            xml?.appendLines(of: piece, &output.buffer)
            try output.flushIfFull()
        }
        xml?.endData(into: &output.buffer)
        guard total == count else {
            throw GranaryError(.inputOutput, "\(source.name): changed while it was read")
        }
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
