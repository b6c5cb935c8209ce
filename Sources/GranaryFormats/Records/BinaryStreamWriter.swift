package import GranaryBase

/// A writer that can copy a binary value from a file in chunks. Other writers get the whole value in memory.
package protocol BinaryStreamWriter: AnyObject {
    /// Writes one value, as ``ValueWriter/write(_:column:)`` writes binary data.
    func write(contentsOf source: ByteSource, column: Int) throws(GranaryError)
}

extension ValueText {
    /// Writes a source's bytes as text, in Base64 or hexadecimal.
    static func write(
        contentsOf source: ByteSource, binary: BinaryStyle, to output: ByteOutput
    ) throws(GranaryError) {
        // The size is a multiple of three, so that only the last piece has Base64 padding.
        try source.forEachPiece(of: 3 << 14) { (piece) throws(GranaryError) in
            switch binary {
            case .base64: Base64Text.encode(piece, into: &output.buffer)
            case .hex: HexText.encode(piece, into: &output.buffer)
            }
            try output.flushIfFull()
        }
    }
}

extension [UInt8] {
    /// Lends the bytes as a binary value.
    package func withBorrowedBinary(_ body: (BorrowedValue) throws(GranaryError) -> Void) throws(GranaryError) {
        try withUnsafeBufferPointer { (bytes) throws(GranaryError) in try body(.binary(bytes)) }
    }
}
