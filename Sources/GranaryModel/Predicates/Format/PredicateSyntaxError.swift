package import GranaryBase

/// The first syntax error in the text of a predicate or expression.
package struct PredicateSyntaxError: Error, Sendable, Hashable {
    /// Where the error is, in UTF-8 bytes from the beginning; at most the length of the text.
    package let offset: Int
    /// Where the error is, in Unicode scalars from 1.
    package let column: Int
    /// What was expected, or what is wrong.
    package let message: String

    /// The error with its column, in one line.
    package var line: String { "predicate, column \(column): \(message)" }

    /// The error for a caller who gave the text: with code `usage`, the text, and a mark under the place.
    package func usageError(_ text: String) -> GranaryError {
        GranaryError(.usage, PredicateText.marked(line, at: offset, in: text))
    }

    /// The error for a predicate in a model file: a `model.syntax` of one line.
    package var modelError: GranaryError { GranaryError(Diagnostic(.modelSyntax, line)) }
}

/// Places in the text of a predicate, for error messages.
package enum PredicateText {
    /// The maximum number of columns of the text in a message.
    private static let windowWidth = 100
    /// The number of scalars of a character that are shown; a hostile text can have thousands of combining marks.
    private static let scalarLimit = 8

    /// The byte offset at which a key path begins in a text; nil if the text does not contain it.
    ///
    /// A path after `SELF` or a variable is found too: `name` in `$x.name`. One that a placeholder stands for is not.
    package static func place(ofKeyPath path: String, in text: String) -> Int? {
        var lexer = PredicateLexer(text)
        var tokens: [(token: PredicateLexer.Token, start: Int)] = []
        while let token = try? lexer.next(), token != .end { tokens.append((token, lexer.start)) }
        let wanted = keyTokens(path)
        guard !wanted.isEmpty, wanted.count <= tokens.count else { return nil }
        var second: Int?
        for first in 0...(tokens.count - wanted.count) {
            let end = first + wanted.count
            let isEqual = zip(tokens[first..<end], wanted).allSatisfy { $0.token.key == $1 }
            guard isEqual, end == tokens.count || tokens[end].token != .symbol("(") else { continue }
            let isPartOfPath = first > 0 && tokens[first - 1].token == .symbol(".")
            guard isPartOfPath else { return tokens[first].start }
            second = second ?? tokens[first].start
        }
        return second
    }

    /// The spellings of a path's tokens: keys, points and the signs of collection operators.
    private static func keyTokens(_ path: String) -> [String] {
        var result: [String] = []
        for key in path.split(separator: ".", omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(".") }
            if key.hasPrefix("@") { result.append("@") }
            result.append(String(key.drop { $0 == "@" }))
        }
        return result
    }

    /// A message, the text below it, and a mark under a place in the text.
    ///
    /// At most 100 columns of the text are shown, with an ellipsis where it is cut. Control characters are shown as
    /// spaces.
    ///
    /// - Parameter offset: the byte offset of the place.
    package static func marked(_ message: String, at offset: Int, in text: String) -> String {
        let place = text.utf8.index(text.startIndex, offsetBy: min(max(offset, 0), text.utf8.count))
        let left = shown(text[..<place].reversed())
        let right = shown(text[place...])
        // Two thirds of the window before the mark, or more if the text ends soon after it.
        let rest = right.characters.reduce(0) { $0 + $1.width }
        let head = fitting(left.characters, max(windowWidth * 2 / 3, windowWidth - rest))
        let tail = fitting(right.characters, windowWidth - head.width)
        let isHeadCut = left.isCut || head.count < left.characters.count
        let isTailCut = right.isCut || tail.count < right.characters.count
        let window =
            left.characters.prefix(head.count).reversed().map { $0.text }.joined()
            + right.characters.prefix(tail.count).map { $0.text }.joined()
        let indent = String(repeating: " ", count: head.width + (isHeadCut ? 1 : 0))
        return "\(message)\n  \(isHeadCut ? "…" : "")\(window)\(isTailCut ? "…" : "")\n  \(indent)^"
    }

    /// The first characters of a sequence as a message shows them, as many as a window holds.
    private static func shown(
        _ characters: some Sequence<Character>
    ) -> (characters: [(text: String, width: Int)], isCut: Bool) {
        var result: [(text: String, width: Int)] = []
        var total = 0
        for character in characters {
            let next = shown(character)
            if total + next.width > windowWidth { return (result, true) }
            total += next.width
            result.append(next)
        }
        return (result, false)
    }

    /// How many characters fit into a number of columns, and their columns.
    private static func fitting(_ characters: [(text: String, width: Int)], _ limit: Int) -> (count: Int, width: Int) {
        var (count, width) = (0, 0)
        for character in characters {
            guard width + character.width <= limit else { break }
            count += 1
            width += character.width
        }
        return (count, width)
    }

    /// A character as a message shows it, and its columns.
    private static func shown(_ character: Character) -> (text: String, width: Int) {
        let width = TextWidth.columns(of: character)
        var text = ""
        for scalar in character.unicodeScalars.prefix(scalarLimit) {
            switch scalar {
            // Bidirectional formatting could show the text in another order than the mark expects.
            case "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            case _ where scalar.properties.generalCategory == .control: break
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.isEmpty || width == 0 ? (" ", 1) : (text, width)
    }
}

extension PredicateLexer.Token {
    /// The spelling of the token within a key path; nil for a token that no path contains.
    fileprivate var key: String? {
        switch self {
        case .word(let name), .name(let name): name
        case .symbol("."): "."
        case .symbol("@"): "@"
        default: nil
        }
    }
}
