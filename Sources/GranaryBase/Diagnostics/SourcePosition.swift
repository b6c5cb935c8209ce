/// Where in a source something stands.
///
/// Lines and columns are those that compilers print and editors jump to.
public struct SourcePosition: Sendable, Hashable, Codable {
    /// The source's name as the user gave it: a path, or `<stdin>`.
    public var file: String
    /// The physical line, from 1. Line ends inside quoted fields count.
    public var line: Int
    /// The byte in that line, from 1.
    public var column: Int
    /// The byte in the file, from 0; nil where the source is not addressed by bytes.
    public var byteOffset: Int?
    /// The data record, from 1, the header not counted; nil outside records.
    public var record: Int?

    /// A place; line and column count from 1, the byte offset from 0. Nothing is checked.
    public init(file: String, line: Int, column: Int, byteOffset: Int? = nil, record: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
        self.record = record
    }
}
