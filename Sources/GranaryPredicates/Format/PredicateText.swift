package import GranaryBase

/// Places in the text of a predicate, for error messages.
package enum PredicateText {
    /// The maximum number of columns of the text in a message.
    private static let windowWidth = 100
    /// The number of scalars of a character that are shown; a hostile text can have thousands of combining marks.
    private static let scalarLimit = 8

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

extension PredicateText {
    /// Adds the text of the predicate to an error of ``PredicateResolver``, and a mark under the part that the error is
    /// about.
    ///
    /// - Returns: the unchanged error if the text does not contain that part, for example because the text has a
    ///   placeholder in its place.
    package static func marked(_ error: GranaryError, in text: String) -> GranaryError {
        guard let place = error.underlying as? PredicatePlace, !error.message.contains("\n"),
            let offset = Self.place(of: place.snippet, in: text)
        else { return error }
        var copy = error
        copy.message = marked(error.message, at: offset, in: text)
        return copy
    }
}
