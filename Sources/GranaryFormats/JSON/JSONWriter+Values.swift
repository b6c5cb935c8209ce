package import GranaryBase

/// Values that are JSON themselves.
extension JSONWriter: JSONValueWriter {
    package func write(json: [UInt8], column: Int) throws(GranaryError) {
        try beginMember(column)
        output.buffer.append(contentsOf: json)
    }

    package func write(
        archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int
    ) throws(GranaryError) {
        try beginMember(column)
        output.append("{")
        JSONText.append(ArchiveMember.archive, to: &output.buffer)
        output.append(":")
        try append(.binary(archive), column: column)
        output.append(",")
        JSONText.append(ArchiveMember.value, to: &output.buffer)
        output.append(":")
        output.buffer.append(contentsOf: json)
        output.append("}")
    }
}
