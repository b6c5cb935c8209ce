package import GranaryBase

extension PlacedTree {
    /// Parses JSON (RFC 8259). Numbers, `true`, `false` and `null` become plain texts, as they are written.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and the position of invalid JSON or of a repeated name.
    package static func readJSON(_ text: PlacedText) throws(GranaryError) -> PlacedTree {
        var parser = JSONTreeParser(text)
        return try parser.parse()
    }
}

/// Parses JSON without recursion.
private struct JSONTreeParser {
    /// The maximum nesting, that of libyaml.
    static let maximumDepth = 1_000

    private struct Frame {
        let node: Int
        let isObject: Bool
        var members: [PlacedTree.Member] = []
        var elements: [Int] = []
        var names: Set<[UInt8]> = []
        var count = 0
    }

    private let bytes: [UInt8]
    private var tree: PlacedTree
    private var stack: [Frame] = []
    private var index = 0
    private var line = 1
    private var column = 1

    init(_ text: PlacedText) {
        bytes = text.bytes
        tree = PlacedTree(text)
    }

    mutating func parse() throws(GranaryError) -> PlacedTree {
        skipSpaces()
        guard index < bytes.count else { throw refusal("the \(tree.text.kind.noun) is empty") }
        try value(label: nil)
        while let frame = stack.last {
            skipSpaces()
            if next == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                advance()
                tree.nodes[frame.node].content = frame.isObject ? .mapping(frame.members) : .list(frame.elements)
                stack.removeLast()
                continue
            }
            if frame.count > 0 {
                try take(UInt8(ascii: ","), "a comma or the end of the \(frame.isObject ? "object" : "array")")
                skipSpaces()
            }
            stack[stack.count - 1].count += 1
            if frame.isObject { try member() } else { try element() }
        }
        skipSpaces()
        guard index == bytes.count else { throw notJSON("the end of the file") }
        return tree
    }

    private mutating func member() throws(GranaryError) {
        guard next == UInt8(ascii: "\"") else { throw notJSON("a name in double quotes") }
        let key = tree.add(label: nil, line: line, column: column)
        let name = try string()
        guard stack[stack.count - 1].names.insert(Array(name.utf8)).inserted else {
            throw refusal("the key \"\(Diagnostic.shortened(name))\" occurs twice in this mapping", at: key)
        }
        tree.nodes[key].content = .text(name, isPlain: false)
        skipSpaces()
        try take(UInt8(ascii: ":"), "a colon")
        skipSpaces()
        stack[stack.count - 1].members.append(PlacedTree.Member(key: key, value: tree.nodes.count))
        try value(label: name)
    }

    private mutating func element() throws(GranaryError) {
        let list = stack[stack.count - 1].node
        stack[stack.count - 1].elements.append(tree.nodes.count)
        // The mappings of a list have no label.
        try value(label: next == UInt8(ascii: "{") ? nil : tree.nodes[list].label)
    }

    /// Adds the node of the next value, and for an object or array its frame.
    private mutating func value(label: String?) throws(GranaryError) {
        let node = tree.add(label: label, line: line, column: column)
        guard tree.nodes.count <= PlacedTree.maximumNodes else {
            throw refusal("the \(tree.text.kind.noun) has more than \(PlacedTree.maximumNodes) values", at: node)
        }
        switch next {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard stack.count < Self.maximumDepth else {
                throw refusal("the values nest deeper than \(Self.maximumDepth) levels, the limit", at: node)
            }
            stack.append(Frame(node: node, isObject: next == UInt8(ascii: "{")))
            advance()
        case UInt8(ascii: "\""): tree.nodes[node].content = .text(try string(), isPlain: false)
        default: tree.nodes[node].content = .text(try word(at: node), isPlain: true)
        }
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word(at node: Int) throws(GranaryError) -> String {
        let start = index
        while let byte = next, !Self.endsWord(byte) { advance() }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        if ["true", "false", "null"].contains(word) || Self.isNumber(bytes[start..<index]) { return word }
        let what = word.isEmpty ? "a value is missing here" : "\"\(Diagnostic.shortened(word))\" needs double quotes"
        throw refusal("this is not JSON: \(what)", at: node)
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x20, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"),
            UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        func digits() -> Int {
            let count = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        if whole == 0 || isZero && whole > 1 { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if digits() == 0 { return false }
        }
        if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }

    private mutating func string() throws(GranaryError) -> String {
        let (startLine, startColumn) = (line, column)
        advance()
        var text: [UInt8] = []
        while let byte = next {
            advance()
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0x00..<0x20: throw notJSON("an escape instead of the control character in this text")
            default: text.append(byte)
            }
        }
        throw GranaryError(
            Diagnostic(
                tree.text.kind.syntax, "this is not JSON: the text has no closing double quote",
                at: tree.text.position(line: startLine, column: startColumn)))
    }

    private mutating func escape(into text: inout [UInt8]) throws(GranaryError) {
        let byte = next
        advance()
        switch byte {
        case UInt8(ascii: "\"")?, UInt8(ascii: "\\")?, UInt8(ascii: "/")?: text.append(byte ?? 0)
        case UInt8(ascii: "b")?: text.append(0x08)
        case UInt8(ascii: "f")?: text.append(0x0C)
        case UInt8(ascii: "n")?: text.append(0x0A)
        case UInt8(ascii: "r")?: text.append(0x0D)
        case UInt8(ascii: "t")?: text.append(0x09)
        case UInt8(ascii: "u")?:
            var unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit), next == UInt8(ascii: "\\") {
                advance()
                guard next == UInt8(ascii: "u") else { throw notJSON("the second half of a surrogate pair") }
                advance()
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw notJSON("the second half of a surrogate pair") }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw notJSON("a Unicode character") }
            text.append(contentsOf: String(scalar).utf8)
        default: throw notJSON("one of the escapes of JSON")
        }
    }

    private mutating func hexadecimal() throws(GranaryError) -> UInt32 {
        let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(digits, radix: 16)
        else { throw notJSON("four hexadecimal digits") }
        for _ in 0..<4 { advance() }
        return value
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8, _ what: String) throws(GranaryError) {
        guard next == byte else { throw notJSON(what) }
        advance()
    }

    private mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { advance() }
    }

    /// Columns count Unicode scalars, as those of libyaml do.
    private mutating func advance() {
        guard let byte = next else { return }
        index += 1
        if byte == 0x0A || byte == 0x0D && next != 0x0A {
            (line, column) = (line + 1, 1)
        } else if next.map({ $0 & 0xC0 != 0x80 }) ?? true {
            column += 1
        }
    }

    private func notJSON(_ expected: String) -> GranaryError {
        refusal("this is not JSON: expected \(expected)")
    }

    private func refusal(_ message: String, at node: Int? = nil) -> GranaryError {
        let place = node.map { tree.position($0) } ?? tree.text.position(line: line, column: column)
        return GranaryError(Diagnostic(tree.text.kind.syntax, message, at: place))
    }
}
