/// Reads the events of one JSON value whose syntax was checked before, without recursion. It must not outlive the
/// bytes.
package struct JSONEventReader {
    private var cursor: JSONCursor
    private var openObjects: [Bool] = []
    private var isComplete = false
    /// Whether the text turned out not to be JSON.
    package private(set) var isBroken = false
    private var text: [UInt8] = []
    /// The offset of the last event.
    package private(set) var offset = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var limits = JSONReader.Options()
        limits.maximumFieldBytes = .max
        limits.allowsNUL = true
        cursor = JSONCursor(bytes, isFinal: true, limits: limits)
    }

    /// The next event; nil after the value, and if the text is not JSON.
    package mutating func next() -> JSONEvent? {
        do throws(JSONFault) {
            return try step()
        } catch {
            isComplete = true
            isBroken = true
            return nil
        }
    }

    private mutating func step() throws(JSONFault) -> JSONEvent? {
        while !isComplete {
            let byte = try cursor.token()
            offset = cursor.position
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"): cursor.position += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                cursor.position += 1
                openObjects.append(byte == UInt8(ascii: "{"))
                return byte == UInt8(ascii: "{") ? .beginObject : .beginArray
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                cursor.position += 1
                _ = openObjects.popLast()
                isComplete = openObjects.isEmpty
                return byte == UInt8(ascii: "}") ? .endObject : .endArray
            case UInt8(ascii: "\""): return try scanText()
            default: return try scanScalar(byte)
            }
        }
        return nil
    }

    private mutating func scanText() throws(JSONFault) -> JSONEvent {
        text.removeAll(keepingCapacity: true)
        try cursor.scanString(into: &text)
        let string = String(decoding: text, as: UTF8.self)
        cursor.skipWhitespace()
        let isName =
            openObjects.last == true && cursor.position < cursor.bytes.count
            && cursor.bytes[cursor.position] == UInt8(ascii: ":")
        isComplete = openObjects.isEmpty
        return isName ? .name(string) : .text(string)
    }

    private mutating func scanScalar(_ first: UInt8) throws(JSONFault) -> JSONEvent {
        try cursor.skipScalar(first)
        isComplete = openObjects.isEmpty
        switch first {
        case UInt8(ascii: "t"): return .boolean(true)
        case UInt8(ascii: "f"): return .boolean(false)
        case UInt8(ascii: "n"): return .null
        default: return .number(UnsafeBufferPointer(rebasing: cursor.bytes[offset..<cursor.position]))
        }
    }
}
