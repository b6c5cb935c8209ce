/// Finds where an attribute stands inside a start tag that is known to be well formed.
enum XMLElementAttributeSearch {
    /// The byte of the attribute's name; nil where the tag has no such attribute.
    static func offset(of name: String, in bytes: [UInt8], tag: Int) -> Int? {
        var index = tag + 1
        // The element's own name.
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        while index < bytes.count {
            while index < bytes.count, isSpace(bytes[index]) { index += 1 }
            let start = index
            while index < bytes.count, !isEnd(bytes[index]), bytes[index] != UInt8(ascii: "=") { index += 1 }
            guard index > start else { return nil }
            if bytes[start..<index].elementsEqual(name.utf8) { return start }
            while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "'") {
                index += 1
            }
            guard index < bytes.count, let end = XMLElementScan.find(bytes[index], in: bytes, from: index + 1) else {
                return nil
            }
            index = end + 1
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}
