import Foundation

/// Writes a `SourceFile` as JSON in one line.
///
/// `JSONEncoder` keeps a tree of the whole value in memory, many times as large as the text, so it is called once for each
/// declaration at the top level. The text is what it would write for the whole file; a test compares both.
struct FileEncoder {
    private let encoder: JSONEncoder

    init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
    }

    /// Returns the JSON of a file. It contains no line feed.
    func encode(_ file: SourceFile) throws -> Data {
        var data = Data(#"{"declarations":["#.utf8)
        for (index, declaration) in file.declarations.enumerated() {
            if index > 0 { data.append(UInt8(ascii: ",")) }
            data.append(try encoder.encode(declaration))
        }
        data.append(contentsOf: #"],"path":"#.utf8)
        data.append(try encoder.encode(file.path))
        data.append(contentsOf: #","problems":"#.utf8)
        data.append(try encoder.encode(file.problems))
        data.append(UInt8(ascii: "}"))
        return data
    }
}
