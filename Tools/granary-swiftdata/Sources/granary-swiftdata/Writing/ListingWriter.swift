import Foundation

/// Writes a `SourceListing` as JSON with sorted keys, file by file.
struct ListingWriter {
    private let write: (Data) throws -> Void
    private var isFirst = true

    /// Makes a writer that hands pieces of text to `write`.
    init(_ write: @escaping (Data) throws -> Void) { self.write = write }

    /// Writes the JSON of a file.
    mutating func add(_ file: Data) throws {
        try write(Data((isFirst ? #"{"files":["# : ",").utf8))
        try write(file)
        isFirst = false
    }

    /// Writes the end.
    func finish() throws {
        let start = isFirst ? #"{"files":["# : ""
        try write(Data("\(start)],\"format\":\(SourceListing.currentFormat)}\n".utf8))
    }
}
