package import GranaryBase

extension PropertyListWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        try beginMember(column)
        try write(dataOf: source)
    }
}
