/// A place in a file.
package struct SourcePlace: Codable, Sendable, Hashable {
    /// From 1.
    package var line: Int
    /// From 1, in UTF-8 bytes.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
