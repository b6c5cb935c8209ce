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

extension CSVWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        // A Base64 field needs quotes only if a character of its alphabet is the delimiter or the quote. Then the value
        // is written whole, like any other text, so that quotes in it are doubled. So is a field for spreadsheets,
        // because Base64 can begin with `+`.
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)
        // The field of an empty value is quoted.
        guard source.byteCount != 0, !alphabet.contains(options.delimiter), !alphabet.contains(options.quote),
            options.comment.map({ !alphabet.contains($0) }) ?? true, !options.escapesFormulas
        else {
            let bytes = try source.readAll(limit: Int(UInt32.max))
            return try bytes.withBorrowedBinary { (value) throws(GranaryError) in try write(value, column: column) }
        }
        try beginStream(column)
        try ValueText.write(contentsOf: source, binary: options.binary, to: output)
    }
}

extension JSONWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        try beginMember(column)
        try flushRows()
        output.buffer.append(UInt8(ascii: "\""))
        try ValueText.write(contentsOf: source, binary: options.binary, to: output)
        output.buffer.append(UInt8(ascii: "\""))
    }
}

extension PropertyListWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        try beginMember(column)
        try write(dataOf: source)
    }
}

extension [UInt8] {
    /// Lends the bytes as a binary value.
    package func withBorrowedBinary(_ body: (BorrowedValue) throws(GranaryError) -> Void) throws(GranaryError) {
        try withUnsafeBufferPointer { (bytes) throws(GranaryError) in try body(.binary(bytes)) }
    }
}
