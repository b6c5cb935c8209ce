import Foundation

/// Writes a `SourceListing` as JSON, file by file and declaration by declaration.
///
/// `JSONEncoder` keeps a tree of the whole value in memory, 20 times as large as the text. The output is what it would
/// write for the whole listing with sorted keys; a test compares both.
struct ListingWriter {
    private let encoder: JSONEncoder
    private let write: (Data) throws -> Void
    private var isFirst = true

    /// Makes a writer that hands pieces of text to `write`.
    init(_ write: @escaping (Data) throws -> Void) {
        encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        self.write = write
    }

    /// Writes a file.
    mutating func add(_ file: SourceFile) throws {
        try write(Data((isFirst ? #"{"files":["# : ",").utf8))
        isFirst = false
        var buffer = Data(#"{"declarations":["#.utf8)
        for (index, declaration) in file.declarations.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(try encoder.encode(declaration))
            if buffer.count > 1 << 20 {
                try write(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        buffer.append(contentsOf: #"],"path":"#.utf8)
        buffer.append(try encoder.encode(file.path))
        buffer.append(contentsOf: #","problems":"#.utf8)
        buffer.append(try encoder.encode(file.problems))
        buffer.append(UInt8(ascii: "}"))
        try write(buffer)
    }

    /// Writes the end.
    func finish() throws {
        try write(Data("\(isFirst ? #"{"files":["# : "")],\"format\":\(SourceListing.currentFormat)}\n".utf8))
    }
}
