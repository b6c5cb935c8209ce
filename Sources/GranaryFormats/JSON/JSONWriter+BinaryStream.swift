package import GranaryBase

extension JSONWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        try beginMember(column)
        try flushRows()
        output.buffer.append(UInt8(ascii: "\""))
        try ValueText.write(contentsOf: source, binary: options.binary, to: output)
        output.buffer.append(UInt8(ascii: "\""))
    }
}
