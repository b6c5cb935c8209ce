extension PredicateText {
    /// The number of tokens of a snippet that are compared; a longer one would take quadratic time.
    private static let tokenLimit = 64

    /// The byte offset at which a part of a predicate begins in a text; nil if the text does not contain it.
    ///
    /// Tokens are compared, so that spaces, quotes and short names of functions do not matter. If no part of the text
    /// is equal, the search ignores parentheses, because printed arithmetic has more of them than most people write. A
    /// place where a key path stands alone is preferred to a place where it is part of a longer one, such as `name` in
    /// `$x.name`.
    package static func place(of snippet: String, in text: String) -> Int? {
        let wanted = tokens(of: snippet, limit: tokenLimit)
        let whole = tokens(of: text, limit: Int.max)
        if let exact = place(of: wanted, in: whole) { return exact }
        return place(of: wanted.filter { !$0.token.isParenthesis }, in: whole.filter { !$0.token.isParenthesis })
    }

    /// A token, and the facts about its neighbours by which a place is preferred.
    private struct PlacedToken {
        let token: PredicateLexer.Token
        let start: Int
        /// Whether an opening parenthesis follows, so that a name is the name of a function.
        var isCalled = false
        /// Whether a point stands before, or a point or a bracket after.
        var followsPoint = false
        var continues = false
    }

    /// The tokens up to the first error.
    private static func tokens(of text: String, limit: Int) -> [PlacedToken] {
        var lexer = PredicateLexer(text)
        var result: [PlacedToken] = []
        while result.count < limit, let token = try? lexer.next(), token != .end {
            var placed = PlacedToken(token: token, start: lexer.start)
            if let last = result.indices.last {
                result[last].isCalled = token == .symbol("(")
                result[last].continues = token == .symbol(".") || token == .symbol("[")
                placed.followsPoint = result[last].token == .symbol(".")
            }
            result.append(placed)
        }
        return result
    }

    private static func place(of wanted: [PlacedToken], in tokens: [PlacedToken]) -> Int? {
        guard let end = wanted.last, wanted.count <= tokens.count else { return nil }
        var second: Int?
        for first in 0...(tokens.count - wanted.count) {
            let part = tokens[first..<(first + wanted.count)]
            guard zip(part, wanted).allSatisfy({ $0.token.isSpelling(of: $1.token) }), let last = part.last else {
                continue
            }
            // The name of a function is not a key, unless the snippet is a function without its parentheses.
            if last.isCalled, !end.isCalled, last.token.isName { continue }
            guard tokens[first].followsPoint || last.continues else { return tokens[first].start }
            second = second ?? tokens[first].start
        }
        return second
    }
}

extension PredicateLexer.Token {
    fileprivate var isParenthesis: Bool { self == .symbol("(") || self == .symbol(")") }

    fileprivate var isName: Bool {
        switch self {
        case .word, .name: true
        default: false
        }
    }

    /// Whether the token of a text means the same as one of a snippet.
    fileprivate func isSpelling(of other: Self) -> Bool {
        switch (self, other) {
        case (.word(let name), .word(let wanted)):
            if PredicateFunction.shortened(name) == PredicateFunction.shortened(wanted) { return true }
            let upper = name.asciiUppercased
            return upper == wanted.asciiUppercased && ObjectExpression.reservedWords.contains(upper)
        // In some places a key that is a reserved word can be written without #.
        case (.word(let name), .name(let wanted)), (.name(let name), .word(let wanted)): return name == wanted
        case (.number(let digits), .number(let wanted)):
            guard digits != wanted, let left = Double(digits), let right = Double(wanted) else {
                return digits == wanted
            }
            return left == right
        default: return self == other
        }
    }
}
