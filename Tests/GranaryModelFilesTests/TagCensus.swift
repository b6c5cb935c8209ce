/// Counts the start tags of an XML text with their attributes: a scanner that shares no code with the readers.
///
/// For files without comments, CDATA and `>` inside tags' quotes other than in values, as Xcode's are.
struct TagCensus {
    /// How often each tag stands there; a tag is its name and its attributes, sorted.
    private(set) var counts: [String: Int] = [:]

    init(_ bytes: [UInt8]) {
        let text = Self.withoutDrawing(String(decoding: bytes, as: UTF8.self))
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: start)...]
            guard let first = rest.first, first != "/", first != "?" else { continue }
            var parts: [String] = []
            var part = ""
            var isQuoted = false
            for character in rest {
                rest = rest.dropFirst()
                if character == "\"" { isQuoted.toggle() }
                if !isQuoted, character == ">" { break }
                if !isQuoted, character == " " || character == "/" {
                    if !part.isEmpty { parts.append(part) }
                    part = ""
                } else {
                    part.append(character)
                }
            }
            if !part.isEmpty { parts.append(part) }
            let tag = ([parts[0]] + parts.dropFirst().sorted()).joined(separator: " ")
            counts[tag, default: 0] += 1
        }
    }

    /// The text without `<elements>`, empty `<userInfo/>`, and the line end at its end.
    static func withoutDrawing(_ text: String) -> String {
        var lines: [Substring] = []
        var isDrawing = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let tag = line.drop { $0 == " " }
            if tag == "<elements>" { isDrawing = true }
            if !isDrawing, tag != "<userInfo/>", tag != "<elements/>" { lines.append(line) }
            if tag == "</elements>" { isDrawing = false }
        }
        while lines.last == "" { lines.removeLast() }
        // What held nothing but an empty user info is an empty element now.
        var index = 1
        while index < lines.count {
            let tag = lines[index].drop { $0 == " " }
            let before = lines[index - 1]
            if tag.hasPrefix("</"), before.hasSuffix(">"), !before.hasSuffix("/>") {
                let name = tag.dropFirst(2).dropLast()
                let opened = before.drop { $0 == " " }
                if opened.hasPrefix("<\(name) ") || opened == "<\(name)>" {
                    lines[index - 1] = before.dropLast() + "/>"
                    lines.remove(at: index)
                    continue
                }
            }
            index += 1
        }
        return lines.joined(separator: "\n")
    }
}
