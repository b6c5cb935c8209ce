import SwiftParser
import SwiftSyntax

/// Reads one file: bytes -> checked UTF-8 -> syntax tree -> declarations.
struct SourceFileReader {
    /// The deepest nesting of brackets and `#if` that the parser follows.
    static let maximumNesting = 256

    var limits = ReadLimits()

    /// Returns what is in the file at `path`. What prevents reading is a problem of the result.
    func read(path: String) -> SourceFile {
        do throws(FileReadError) {
            return read(path: path, bytes: try FileBytes.read(path: path, limit: limits.fileBytes))
        } catch {
            var file = SourceFile(path: path)
            let start = SourcePlace(line: 1, column: 1)
            file.problems = [SourceProblem(place: start, message: error.message)]
            return file
        }
    }

    /// Returns what is in `bytes`, the content of the file at `path`.
    func read(path: String, bytes: [UInt8]) -> SourceFile {
        var file = SourceFile(path: path)
        var bytes = bytes
        // Without this, the columns of the first line would count the bytes of the byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let source = SourceText(bytes)
        if let offset = UTF8Check.firstInvalidOffset(in: bytes) {
            let message = "is not UTF-8; save the file as UTF-8"
            file.problems = [SourceProblem(place: source.place(offset: offset), message: message)]
            return file
        }
        let tree = bytes.withUnsafeBufferPointer {
            // The default of a debug build of swift-syntax is 20, which sources exceed.
            Parser.parse(source: $0, maximumNestingLevel: Self.maximumNesting)
        }
        var collector = DeclarationCollector(source: source)
        file.declarations = collector.collect(from: tree)
        file.problems = SyntaxProblems.find(in: tree, source: source, adding: collector.problems)
        return file
    }
}
