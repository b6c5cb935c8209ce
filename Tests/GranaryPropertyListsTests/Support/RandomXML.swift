import TestSupport

/// Generated XML documents: well-formed ones, and changed ones that often are not.
struct RandomXML {
    var generator: SeededGenerator
    /// Whether names have the prefix `x`, which the root element declares.
    private var hasPrefixes = true

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func pick<Element>(_ choices: [Element], _ other: Element) -> Element {
        choices.randomElement(using: &generator) ?? other
    }

    private mutating func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    /// A well-formed document.
    mutating func document() -> String {
        var text = isOne(of: 3) ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" : ""
        if isOne(of: 3) { text += pick(["<!-- a - < & -->", "\n", " <?go on?> ", "<!---->\r\n"], "") }
        let types = ["<!DOCTYPE a>", "<!DOCTYPE a SYSTEM \"b\">\n", "<!DOCTYPE a PUBLIC 'c' \"d\">"]
        if isOne(of: 4) { text += pick(types, "") }
        text += element()
        if isOne(of: 3) { text += pick(["<!-- end -->", "\n\n", " "], "") }
        return text
    }

    /// An element with contents, without recursion.
    mutating func element() -> String {
        var open: [String] = []
        var text = ""
        var rest = Int.random(in: 0...12, using: &generator)
        repeat {
            let name = pick(["a", "b-1", "c.d", "_e", "é", "漢字", "F", hasPrefixes ? "x:y" : "xy"], "a")
            let declaration = open.isEmpty && hasPrefixes ? " xmlns:x='u'" : ""
            text += "<\(name)\(declaration)\(attributes())\(pick(["", "", " ", "\n"], ""))"
            if open.isEmpty || !isOne(of: 4) {
                text += ">"
                open.append(name)
            } else {
                text += "/>"
            }
            text += contents()
            while let last = open.last, open.count > 1 || rest == 0, rest == 0 || isOne(of: 2) {
                text += "</\(last)\(pick(["", " "], ""))>"
                open.removeLast()
                if !open.isEmpty { text += contents() }
            }
            rest = max(0, rest - 1)
        } while !open.isEmpty
        return text
    }

    private mutating func attributes() -> String {
        var names = ["b", "c", "é", hasPrefixes ? "x:d" : "xd", "_"].shuffled(using: &generator)
        names.removeLast(Int.random(in: 1...5, using: &generator))
        return names.map { name in
            let quote = pick(["\"", "'"], "'")
            let value = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                pick(
                    ["a", " ", "\t", "\n", "\r\n", "\r", ">", "]]>", "é😀", "&amp;", "&#10;", "&#x9;", "&lt;", "="], "")
            }.joined()
            return "\(pick([" ", "\n ", "\t"], " "))\(name)\(pick(["=", " = "], "="))\(quote)\(value)\(quote)"
        }.joined()
    }

    private mutating func contents() -> String {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            pick(
                [
                    "text", " ", "\r\n", "\r", "\n", "é漢😀\u{FFFD}", "&lt;", "&gt;&quot;&apos;", "&#233;", "&#x1F600;",
                    "]]",
                    "]", " >", "<![CDATA[<&>]]]>", "<![CDATA[]]>", "<![CDATA[a]b\nc]]>", "<!-- - -->", "&#13;", "--",
                ], "")
        }.joined()
    }

    /// A changed element, without what crashes FoundationXML: no question mark, no U+0000. It declares no prefixes, as
    /// libxml2 also checks the namespaces.
    mutating func changed() -> String {
        hasPrefixes = false
        var scalars = Array(element().unicodeScalars)
        let pool = Array("<>/&;\"'[]!-= a#x:\n\r\u{1}\u{FFFE}\u{FFFF}\u{B7}é1".unicodeScalars)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: 0...scalars.count, using: &generator)
            let end = min(scalars.count, index + Int.random(in: 0...3, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: scalars.removeSubrange(index..<end)
            case 1: scalars.insert(pick(pool, " "), at: index)
            case 2: scalars.insert(contentsOf: scalars[index..<end], at: index)
            default:
                let from = Int.random(in: 0...index, using: &generator)
                scalars.insert(contentsOf: Array(scalars[from..<index].prefix(8)), at: index)
            }
        }
        if isOne(of: 12) { scalars.removeLast(Int.random(in: 0...scalars.count, using: &generator)) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
