/// The line and the column, in bytes, of the current position in a text.
struct LineColumn {
    private(set) var line = 1
    private(set) var column = 1

    mutating func advance(over bytes: ArraySlice<UInt8>) {
        var newLines = 0
        for byte in bytes where byte == 0x0A { newLines += 1 }
        line += newLines
        if newLines > 0, let last = bytes.lastIndex(of: 0x0A) {
            column = bytes.endIndex - last
        } else {
            column += bytes.count
        }
    }
}
