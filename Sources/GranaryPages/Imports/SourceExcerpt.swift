import Foundation
import GranaryBase

/// The line of a text file that a diagnostic is about, read from the file again.
struct SourceExcerpt {
    /// The first line of the file; nil if the line is the first.
    private(set) var header: String?
    /// The line before the place, the marked part, and the rest.
    private(set) var before = ""
    private(set) var marked = ""
    private(set) var after = ""

    /// The maximum number of bytes before and behind a place.
    private static let reach = 400

    /// Nil if the file cannot be read, is not the text that the place is in, or has other content now.
    init?(_ diagnostic: Diagnostic) {
        guard let position = diagnostic.position, let offset = position.byteOffset, offset >= 0,
            FileKind(position.file) == .file, let file = FileHandle(forReadingAtPath: position.file)
        else { return nil }
        defer { try? file.close() }
        let start = max(0, offset - Self.reach)
        guard (try? file.seek(toOffset: UInt64(start))) != nil,
            let bytes = try? file.read(upToCount: 2 * Self.reach), offset - start <= bytes.count
        else { return nil }
        let place = bytes.index(bytes.startIndex, offsetBy: offset - start)
        let first = bytes[..<place].lastIndex(of: 0x0A).map { bytes.index(after: $0) } ?? bytes.startIndex
        let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.endIndex
        // Compressed files and other encodings are no UTF-8. A character can be cut at the ends.
        let line = String(decoding: bytes[first..<end].drop { 0x80...0xBF ~= $0 }, as: UTF8.self)
        guard !line.dropLast().contains("\u{FFFD}"), !line.contains("\0") else { return nil }
        let length = Self.markedLength(bytes[place..<end], diagnostic.value)
        let rest = bytes.index(place, offsetBy: length)
        before =
            (first == bytes.startIndex && start > 0 ? "…" : "") + String(decoding: bytes[first..<place], as: UTF8.self)
        marked = String(decoding: bytes[place..<rest], as: UTF8.self)
        after =
            String(decoding: bytes[rest..<end], as: UTF8.self)
            + (end == bytes.endIndex && bytes.count == 2 * Self.reach ? "…" : "")
        guard position.line > 1, (try? file.seek(toOffset: 0)) != nil, let head = try? file.read(upToCount: Self.reach)
        else { return }
        header = String(decoding: head.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// The length of the value in the line, with the quotes around it; of its first word if it is written otherwise.
    private static func markedLength(_ line: Data, _ value: String?) -> Int {
        if let value, !value.isEmpty {
            for text in ["\"\(value)\"", value] where line.starts(with: Data(text.utf8)) { return text.utf8.count }
        }
        let end = line.firstIndex { [0x2C, 0x3B, 0x09, 0x7C, 0x7D, 0x5D].contains($0) } ?? line.endIndex
        return line.distance(from: line.startIndex, to: end)
    }

    var html: String {
        let head = header.map { "<span class=\"soft\">\(Markup.text($0))</span>\n" } ?? ""
        return "<pre>\(head)\(Markup.text(before))<mark>\(Markup.text(marked))</mark>\(Markup.text(after))</pre>\n"
    }
}
