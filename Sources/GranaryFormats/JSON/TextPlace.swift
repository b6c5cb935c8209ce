package import GranaryBase

/// A position in a text that is read sequentially: line, column and byte offset.
package struct TextPlace: Sendable, Hashable {
    package private(set) var line = 1
    package private(set) var column = 1
    package private(set) var offset = 0
    /// Whether the previous byte was a CR, so that an LF here belongs to the same line end.
    private var isBehindCR = false

    package init() {}

    /// Advances over bytes without a line end.
    @inline(__always)
    package mutating func advance(count: Int) {
        column += count
        offset += count
        if count > 0 { isBehindCR = false }
    }

    /// Advances over a line that ends with its only line end.
    package mutating func advance(lineOf count: Int) {
        line += 1
        column = 1
        offset += count
        isBehindCR = false
    }

    /// Advances over any bytes. LF, CR LF and CR each end a line, as in ``Record/position(ofRaw:file:)``.
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
