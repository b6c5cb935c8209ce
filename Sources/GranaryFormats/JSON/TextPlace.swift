package import GranaryBase

/// A place in a text that is read from front to back: line and column for people, the offset for machines.
package struct TextPlace: Sendable, Hashable {
    package private(set) var line = 1
    package private(set) var column = 1
    package private(set) var offset = 0
    /// Whether the byte before was a CR, whose line end an LF right here belongs to.
    private var isBehindCR = false

    package init() {}

    /// Moves over bytes that hold no line end.
    @inline(__always)
    package mutating func advance(count: Int) {
        column += count
        offset += count
        if count > 0 { isBehindCR = false }
    }

    /// Moves over bytes whose last is the only line end among them.
    package mutating func advance(lineOf count: Int) {
        line += 1
        column = 1
        offset += count
        isBehindCR = false
    }

    /// Moves over any bytes. LF, CR LF and CR each end a line, as in ``Record/position(ofRaw:file:)``.
    package mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            switch byte {
            case 0x0A:
                if !isBehindCR { line += 1 }
                column = 1
                isBehindCR = false
            case 0x0D:
                line += 1
                column = 1
                isBehindCR = true
            default:
                column += 1
                isBehindCR = false
            }
        }
        offset += bytes.count
    }

    package func position(file: String, record: Int? = nil) -> SourcePosition {
        SourcePosition(file: file, line: line, column: column, byteOffset: offset, record: record)
    }
}
