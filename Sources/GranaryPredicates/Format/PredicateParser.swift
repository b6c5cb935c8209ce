import GranaryBase

/// Parses the language of `NSPredicate`: Apple's "Predicate Format String Syntax", without assignments and `FETCH`.
///
/// A parenthesis can contain a condition or a value, which only the following tokens decide. So each step returns a
/// ``Term``, which is either of them, and nothing is parsed twice. Neither the recursion nor the trees are deeper than
/// ``ObjectPredicate/depthLimit``, apart from a few levels of the recursion that add nothing to the tree.
struct PredicateParser {
    struct Term {
        enum Value {
            case predicate(ObjectPredicate)
            case expression(ObjectExpression)
        }

        var value: Value
        /// The depth of the tree; 1 for a leaf.
        var depth: Int
    }

    /// The printed text of a tree can have one more pair of parentheses than the tree has levels.
    private static let nestingLimit = ObjectPredicate.depthLimit + 4

    private var lexer: PredicateLexer
    private(set) var token = PredicateLexer.Token.end
    private var nesting = 0
    /// The values of the placeholders; nil for a text of a model, in which placeholders have no meaning.
    let arguments: [(any PredicateArgument)?]?
    /// The number of placeholders that were read.
    var argumentCount = 0

    init(_ text: String, arguments: [(any PredicateArgument)?]?) throws(PredicateSyntaxError) {
        lexer = PredicateLexer(text)
        self.arguments = arguments
        token = try lexer.next()
    }

    mutating func wholePredicate() throws(PredicateSyntaxError) -> ObjectPredicate {
        let term = try disjunction()
        let predicate = try predicate(term)
        guard token == .end else { throw expectedEnd }
        try checkArgumentCount()
        return predicate
    }

    mutating func wholeExpression() throws(PredicateSyntaxError) -> ObjectExpression {
        let term = try disjunction()
        guard token == .end else { throw expected("an arithmetic sign or the end") }
        try checkArgumentCount()
        guard case .predicate(let condition) = term.value else { return try expression(term) }
        // A condition is the number 1 or 0, one level above its own tree.
        let truth = ObjectExpression.conditional(
            condition, .constant(.boolean(true)), .constant(.boolean(false)))
        return try expression(try self.term(.expression(truth), above: term.depth))
    }

    mutating func disjunction() throws(PredicateSyntaxError) -> Term {
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
        return try term(.predicate(.or(parts)), above: depth)
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> Term {
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
        return try term(.predicate(.and(parts)), above: depth)
    }

    private var isOr: Bool { keyword == "OR" || token == .symbol("||") }
    private var isAnd: Bool { keyword == "AND" || token == .symbol("&&") }

    private mutating func negation() throws(PredicateSyntaxError) -> Term {
        // Each NOT is a level of the tree, so their number is limited, and a loop needs no recursion.
        var count = 0
        while keyword == "NOT" || token == .symbol("!") {
            count += 1
            guard count < ObjectPredicate.depthLimit else { throw tooDeep }
            try advance()
        }
        var result = try comparison()
        for _ in 0..<count {
            let inner = try predicate(result)
            result = try term(.predicate(.not(inner)), above: result.depth)
        }
        return result
    }

    private mutating func comparison() throws(PredicateSyntaxError) -> Term {
        var modifier = ObjectPredicate.Modifier.direct
        let word = keyword
        switch word {
        case "ANY", "SOME", "NONE": modifier = .any
        case "ALL": modifier = .all
        default: break
        }
        if modifier != .direct { try advance() }
        let left = try collection()
        guard let operation else {
            if modifier != .direct { throw expectedOperator }
            return left
        }
        let leftSide = try expression(left)
        try advance()
        let options = try options()
        let right = try collection()
        let rightSide = try expression(right)
        let comparison = ObjectPredicate.compare(
            leftSide, operation, rightSide, options: options, modifier: modifier)
        let result = try term(.predicate(comparison), above: max(left.depth, right.depth))
        // NONE has no modifier; it is NOT ANY.
        return word == "NONE" ? try term(.predicate(.not(comparison)), above: result.depth) : result
    }

    /// Other spellings of operators.
    private static let synonyms = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

    private var operation: ObjectPredicate.Operator? {
        guard case .symbol(let symbol) = token else {
            return keyword.flatMap(ObjectPredicate.Operator.init(rawValue:))
        }
        return ObjectPredicate.Operator(rawValue: Self.synonyms[symbol] ?? symbol)
    }

    /// Reads options such as `[cd]` after an operator.
    private mutating func options() throws(PredicateSyntaxError) -> ObjectPredicate.Options {
        guard token == .symbol("[") else { return [] }
        try advance()
        guard case .word(let letters) = token else { throw expected("the options c, d, l, n or w") }
        var options: ObjectPredicate.Options = []
        for letter in letters.lowercased() {
            guard let known = ObjectPredicate.Options.letters.first(where: { $0.letter == letter }) else {
                throw expected("the options c, d, l, n or w")
            }
            options.insert(known.option)
        }
        try advance()
        try take("]")
        return options
    }
}

// MARK: Steps

extension PredicateParser {
    /// The current word, in upper case; nil for any other token.
    var keyword: String? {
        if case .word(let word) = token { word.asciiUppercased } else { nil }
    }

    mutating func advance() throws(PredicateSyntaxError) { token = try lexer.next() }

    mutating func take(_ symbol: String) throws(PredicateSyntaxError) {
        guard token == .symbol(symbol) else { throw expected("\"\(symbol)\"") }
        try advance()
    }

    mutating func descend() throws(PredicateSyntaxError) {
        nesting += 1
        guard nesting <= Self.nestingLimit else { throw tooDeep }
    }

    mutating func ascend() { nesting -= 1 }

    func term(_ value: Term.Value, above depth: Int) throws(PredicateSyntaxError) -> Term {
        guard depth < ObjectPredicate.depthLimit else { throw tooDeep }
        return Term(value: value, depth: depth + 1)
    }

    func predicate(_ term: Term) throws(PredicateSyntaxError) -> ObjectPredicate {
        guard case .predicate(let predicate) = term.value else { throw expectedOperator }
        return predicate
    }

    func expression(_ term: Term) throws(PredicateSyntaxError) -> ObjectExpression {
        guard case .expression(let expression) = term.value else {
            throw error("expected a value, found a condition")
        }
        return expression
    }

    func expected(_ what: String) -> PredicateSyntaxError { error("expected \(what), found \(found)") }

    /// The error at a token behind a whole condition.
    private var expectedEnd: PredicateSyntaxError {
        let hint: String
        switch token {
        case .symbol(","): hint = " (numbers have a decimal point: 10.5)"
        default:
            switch keyword {
            case "ORDER", "SORT", "LIMIT", "OFFSET", "GROUP": hint = " (a condition has no order and no limit)"
            default: hint = ""
            }
        }
        return error("expected AND, OR or the end, found \(found)\(hint)")
    }

    var expectedValue: PredicateSyntaxError {
        if token == .end { return error("the condition is incomplete: expected a value, found the end") }
        // `.5`, which other languages read as a number.
        var copy = self
        if token == .symbol("."), (try? copy.advance()) != nil, case .number(let digits) = copy.token {
            return error("expected a value, found \(found) (write 0.\(Diagnostic.shortened(digits)))")
        }
        return expected("a value")
    }

    private var expectedOperator: PredicateSyntaxError {
        if let name = typeOperator { return error("\(name) is not supported") }
        let hint =
            switch keyword {
            case "NOT": " (NOT stands before the whole comparison)"
            case "IS": " (write == nil or != nil)"
            case "ORDER", "SORT", "LIMIT", "OFFSET", "GROUP": " (a condition has no order and no limit)"
            default: ""
            }
        return error("expected a comparison operator, found \(found)\(hint)")
    }

    /// The operator for type identifiers that begins at the current token.
    private var typeOperator: String? {
        var copy = self
        guard keyword == "UTI", (try? copy.advance()) != nil, copy.token == .symbol("-"),
            (try? copy.advance()) != nil
        else { return nil }
        switch copy.keyword {
        case "CONFORMS": return "UTI-CONFORMS-TO"
        case "EQUALS": return "UTI-EQUALS"
        default: return nil
        }
    }

    var found: String {
        switch token {
        case .end: "the end"
        case .word(let text), .number(let text), .symbol(let text), .placeholder(let text):
            "\"\(Diagnostic.shortened(text))\""
        case .name(let text): "\"#\(Diagnostic.shortened(text))\""
        case .variable(let text): "\"$\(Diagnostic.shortened(text))\""
        case .string(let text): "the text \"\(Diagnostic.shortened(text))\""
        }
    }

    /// An error at the current token.
    func error(_ message: String) -> PredicateSyntaxError { lexer.error(message, at: lexer.start) }

    var tooDeep: PredicateSyntaxError {
        error("it nests deeper than \(ObjectPredicate.depthLimit) levels, the limit")
    }
}
