/// A position in a source file.
///
/// Lines and columns count as in compilers and editors.
public struct SourcePosition: Sendable, Hashable, Codable {
    /// The source's name as given: a path, or `<stdin>`.
    public var file: String
    /// The physical line, from 1. Line ends inside quoted fields count.
    public var line: Int
    /// The byte in the line, from 1.
    public var column: Int
    /// The byte in the file, from 0; nil if it is unknown.
    public var byteOffset: Int?
    /// The number of the data record, from 1, without the header; nil outside records.
    public var record: Int?

    /// Creates a position. Line and column count from 1, the byte offset from 0. The values are not checked.
    public init(file: String, line: Int, column: Int, byteOffset: Int? = nil, record: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
        self.record = record
    }
}
