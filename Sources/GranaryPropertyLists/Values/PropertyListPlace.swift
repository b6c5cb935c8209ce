package import GranaryBase

/// The position of an event in its file.
///
/// In an XML list, it is the `<` of the tag. In a binary list, it is the object's first byte, and the whole file counts
/// as one line.
package struct PropertyListPlace: Sendable, Equatable {
    package var line: Int
    package var column: Int
    package var byteOffset: Int?

    package init(line: Int, column: Int, byteOffset: Int? = nil) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    init(byteOffset: Int) {
        self.init(line: 1, column: byteOffset + 1, byteOffset: byteOffset)
    }

    package func position(in file: String, record: Int? = nil) -> SourcePosition {
        SourcePosition(file: file, line: line, column: column, byteOffset: byteOffset, record: record)
    }
}
