import GranaryBase
import GranaryModel

/// Parses the language of `NSPredicate`: Apple's "Predicate Format String Syntax", without placeholders, subqueries,
/// assignments and indexes.
///
/// A parenthesis can contain a condition or a value, which only the following tokens decide. So each step returns a
/// ``Term``, which is either of them, and nothing is parsed twice. Neither the recursion nor the trees are deeper than
/// ``PredicateNode/depthLimit``.
struct PredicateParser {
    struct Term {
        enum Value {
            case predicate(PredicateNode)
            case expression(ExpressionNode)
        }

        var value: Value
        /// The depth of the tree; 1 for a leaf.
        var depth: Int
    }

    private var lexer: PredicateLexer
    private(set) var token = PredicateLexer.Token.end
    private var nesting = 0

    init(_ text: String) throws(GranaryError) {
        lexer = PredicateLexer(text)
        token = try lexer.next()
    }

    mutating func wholePredicate() throws(GranaryError) -> PredicateNode {
        let term = try disjunction()
        let predicate = try predicate(term)
        guard token == .end else { throw expected("AND, OR or the end") }
        return predicate
    }

    mutating func wholeExpression() throws(GranaryError) -> ExpressionNode {
        let term = try sum()
        let expression = try expression(term)
        guard token == .end else { throw expected("an arithmetic sign or the end") }
        return expression
    }

    mutating func disjunction() throws(GranaryError) -> Term {
        let first = try conjunction()
        guard isOr else { return first }
        var parts = [try predicate(first)]
        var depth = first.depth
        while isOr {
            try advance()
            let part = try conjunction()
            parts.append(try predicate(part))
            depth = max(depth, part.depth)
        }
        return try term(.predicate(.compound(.or, parts)), above: depth)
    }

    private mutating func conjunction() throws(GranaryError) -> Term {
        let first = try negation()
        guard isAnd else { return first }
        var parts = [try predicate(first)]
        var depth = first.depth
        while isAnd {
            try advance()
            let part = try negation()
            parts.append(try predicate(part))
            depth = max(depth, part.depth)
        }
        return try term(.predicate(.compound(.and, parts)), above: depth)
    }

    private var isOr: Bool { keyword == "OR" || token == .symbol("||") }
    private var isAnd: Bool { keyword == "AND" || token == .symbol("&&") }

    private mutating func negation() throws(GranaryError) -> Term {
        guard keyword == "NOT" || token == .symbol("!") else { return try comparison() }
        try advance()
        try descend()
        let part = try negation()
        ascend()
        let inner = try predicate(part)
        return try term(.predicate(.compound(.not, [inner])), above: part.depth)
    }

    private mutating func comparison() throws(GranaryError) -> Term {
        var modifier = PredicateComparisonNode.Modifier.direct
        var isNone = false
        switch keyword {
        case "ANY", "SOME": modifier = .any
        case "ALL": modifier = .all
        case "NONE":
            modifier = .any
            isNone = true
        default: break
        }
        if modifier != .direct { try advance() }
        let left = try sum()
        guard let operation = operation else {
            if modifier != .direct { throw expected("a comparison operator") }
            return left
        }
        let leftSide = try expression(left)
        try advance()
        let options = try options()
        let right = try sum()
        let rightSide = try expression(right)
        let node = PredicateComparisonNode(leftSide, operation, rightSide, options: options, modifier: modifier)
        let result = try term(.predicate(.comparison(node)), above: max(left.depth, right.depth))
        // NONE has no modifier; it is NOT ANY.
        guard isNone else { return result }
        return try term(.predicate(.compound(.not, [.comparison(node)])), above: result.depth)
    }

    /// Other spellings of operators.
    private static let synonyms = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

    private var operation: PredicateComparisonNode.Operator? {
        var spelling = keyword
        if case .symbol(let symbol) = token { spelling = Self.synonyms[symbol] ?? symbol }
        return PredicateComparisonNode.Operator.allCases.first { $0.symbol == spelling }
    }

    /// Reads options such as `[cd]` after an operator.
    private mutating func options() throws(GranaryError) -> PredicateComparisonNode.Options {
        guard token == .symbol("[") else { return [] }
        try advance()
        guard case .word(let letters) = token else { throw expected("the options c, d, l, n or w") }
        var options: PredicateComparisonNode.Options = []
        for letter in letters.lowercased() {
            guard let known = PredicateComparisonNode.Options.letters.first(where: { $0.letter == letter }) else {
                throw expected("the options c, d, l, n or w")
            }
            options.insert(known.option)
        }
        try advance()
        try take("]")
        return options
    }

    // MARK: Steps

    /// The current word, in upper case; nil for any other token.
    var keyword: String? {
        if case .word(let word) = token { word.uppercased() } else { nil }
    }

    mutating func advance() throws(GranaryError) { token = try lexer.next() }

    mutating func take(_ symbol: String) throws(GranaryError) {
        guard token == .symbol(symbol) else { throw expected("\"\(symbol)\"") }
        try advance()
    }

    mutating func descend() throws(GranaryError) {
        nesting += 1
        guard nesting <= PredicateNode.depthLimit else { throw tooDeep }
    }

    mutating func ascend() { nesting -= 1 }

    func term(_ value: Term.Value, above depth: Int) throws(GranaryError) -> Term {
        guard depth < PredicateNode.depthLimit else { throw tooDeep }
        return Term(value: value, depth: depth + 1)
    }

    func predicate(_ term: Term) throws(GranaryError) -> PredicateNode {
        guard case .predicate(let predicate) = term.value else { throw expected("a comparison operator") }
        return predicate
    }

    func expression(_ term: Term) throws(GranaryError) -> ExpressionNode {
        guard case .expression(let expression) = term.value else {
            throw error("expected a value, found a condition")
        }
        return expression
    }

    func expected(_ what: String) -> GranaryError {
        let found =
            switch token {
            case .end: "the end"
            case .word(let text), .number(let text), .symbol(let text): "\"\(Diagnostic.shortened(text))\""
            case .name(let text): "\"#\(Diagnostic.shortened(text))\""
            case .variable(let text): "\"$\(Diagnostic.shortened(text))\""
            case .string(let text): "the text \"\(Diagnostic.shortened(text))\""
            }
        return error("expected \(what), found \(found)")
    }

    func error(_ message: String) -> GranaryError { lexer.error(message, at: lexer.start) }

    private var tooDeep: GranaryError { error("it nests deeper than \(ObjectPredicate.depthLimit) levels, the limit") }
}
