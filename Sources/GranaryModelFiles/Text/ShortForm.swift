/// The words of a short form: `string(...3)! unique = "a b"`. Words are separated by spaces; double quotes, in which `\`
/// escapes a character, enclose a word with spaces.
struct ShortForm {
    struct Word {
        var text: String
        /// The offset in Unicode scalars.
        let offset: Int
        let isQuoted: Bool
    }

    struct Problem: Error {
        let message: String
        let offset: Int
    }

    /// The name at the start with its additions: `NAME`, `NAME(ARGUMENT)`, `[NAME]`, each with `!` or without.
    struct Head {
        var name = ""
        var argument: String?
        var argumentOffset = 0
        var isList = false
        var isRequired = false
    }

    private(set) var words: [Word] = []

    init(_ text: String) throws(Problem) {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            if Self.isSpace(scalars[index]) {
                index += 1
                continue
            }
            let start = index
            var word = String.UnicodeScalarView()
            if scalars[index] == "\"" {
                index += 1
                while index < scalars.count, scalars[index] != "\"" {
                    if scalars[index] == "\\", index + 1 < scalars.count { index += 1 }
                    word.append(scalars[index])
                    index += 1
                }
                guard index < scalars.count else { throw Problem(message: "a double quote is missing", offset: start) }
                index += 1
                guard index == scalars.count || Self.isSpace(scalars[index]) else {
                    throw Problem(message: "a space must follow the double quote", offset: index)
                }
                words.append(Word(text: String(word), offset: start, isQuoted: true))
            } else {
                while index < scalars.count, !Self.isSpace(scalars[index]) {
                    word.append(scalars[index])
                    index += 1
                }
                words.append(Word(text: String(word), offset: start, isQuoted: false))
            }
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// Splits the first word.
    func head() throws(Problem) -> Head {
        var head = Head()
        guard let first = words.first, !first.isQuoted else {
            throw Problem(message: "a name is missing", offset: words.first?.offset ?? 0)
        }
        var rest = Substring(first.text).unicodeScalars
        if rest.last == "!" {
            head.isRequired = true
            rest.removeLast()
        }
        if rest.first == "[" {
            guard rest.last == "]", rest.count > 1 else {
                throw Problem(message: "the closing bracket ] is missing", offset: first.offset)
            }
            head.isList = true
            rest = rest.dropFirst().dropLast()
        } else if let open = rest.firstIndex(of: "(") {
            guard rest.last == ")" else {
                throw Problem(message: "the closing parenthesis is missing", offset: first.offset)
            }
            head.argumentOffset = first.offset + rest.distance(from: rest.startIndex, to: open) + 1
            head.argument = String(rest[rest.index(after: open)...].dropLast())
            rest = rest[..<open]
        }
        head.name = String(rest)
        if head.name.isEmpty { throw Problem(message: "a name is missing", offset: first.offset) }
        return head
    }

    /// Whether a word can be written without quotes.
    static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.first != "\""
            && text.unicodeScalars.allSatisfy { !isSpace($0) && $0.value >= 0x20 }
    }

    /// A word with quotes, if it needs them.
    static func quoted(_ text: String) -> String {
        if isWord(text) { return text }
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    /// Splits `A...B`; nil if the text has no `...`. An empty side is nil.
    static func range(_ text: String) -> (lower: String?, upper: String?, upperOffset: Int)? {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count >= 3,
            let start = (0...(scalars.count - 3)).first(where: { scalars[$0...].starts(with: "...".unicodeScalars) })
        else { return nil }
        func side(_ part: ArraySlice<Unicode.Scalar>) -> String? {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: part)
            return view.isEmpty ? nil : String(view)
        }
        return (side(scalars[..<start]), side(scalars[(start + 3)...]), start + 3)
    }
}
