package import GranaryBase

/// A parser for keys of several values: a JSON array of scalars in one text, `["Smith",7]`.
package enum JSONKeyList {
    /// One part: its decoded text and the kind of a record's field with that text.
    package struct Part {
        package let kind: Record.Kind
        package let bytes: [UInt8]

        package init(kind: Record.Kind, bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }
    }

    /// - Throws: `syntax` if the text is not a JSON array of scalars.
    package static func parts(of text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> [Part] {
        var cursor = JSONCursor(text, isFinal: true, limits: JSONReader.Options())
        do throws(JSONFault) {
            guard try cursor.token() == UInt8(ascii: "[") else { throw JSONFault(.expectedValue, at: 0) }
            cursor.position += 1
            var parts: [Part] = []
            if try cursor.token() == UInt8(ascii: "]") {
                cursor.position += 1
            } else {
                parts = try elements(&cursor)
            }
            cursor.skipWhitespace()
            if cursor.position < text.count { throw JSONFault(.extra, at: cursor.position) }
            if let problem = cursor.problem { throw problem }
            return parts
        } catch {
            throw .syntax("a key of several values is a JSON array, such as [\"Smith\",7]")
        }
    }

    private static func elements(_ cursor: inout JSONCursor) throws(JSONFault) -> [Part] {
        var parts: [Part] = []
        while true {
            let byte = try cursor.token()
            var bytes: [UInt8] = []
            var kind = Record.Kind.quoted
            if byte == UInt8(ascii: "\"") {
                try cursor.scanString(into: &bytes)
            } else {
                let start = cursor.position
                try cursor.skipScalar(byte)
                bytes = Array(cursor.bytes[start..<cursor.position])
                switch byte {
                case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = .boolean
                case UInt8(ascii: "n"): kind = .null
                default: kind = .number
                }
            }
            parts.append(Part(kind: kind, bytes: bytes))
            let next = try cursor.token()
            cursor.position += 1
            if next == UInt8(ascii: "]") { return parts }
            guard next == UInt8(ascii: ",") else { throw JSONFault(.expectedCommaOrBracket, at: cursor.position) }
        }
    }
}
