import GranaryBase

extension PredicateParser {
    /// Reads collections combined by `UNION`, `INTERSECT` and `MINUS`, which bind less than all signs.
    mutating func collection() throws(PredicateSyntaxError) -> Term {
        var left = try calculation()
        while let operation = keyword.flatMap(ObjectExpression.SetOperation.init(rawValue:)) {
            let first = try expression(left)
            try advance()
            let right = try calculation()
            let second = try expression(right)
            left = try term(
                .expression(.combined(first, operation, second)), above: max(left.depth, right.depth))
        }
        return left
    }

    /// Reads values with arithmetic and bitwise signs between them. Signs of one precedence are read from the left.
    private mutating func calculation(above precedence: Int = 0) throws(PredicateSyntaxError) -> Term {
        var left = try signed()
        while case .symbol(let symbol) = token, let sign = PredicateFunction.function(ofSign: symbol),
            sign.precedence >= precedence
        {
            _ = try expression(left)
            try advance()
            let right = try calculation(above: sign.precedence + 1)
            left = try join(left, sign.function, right)
        }
        return left
    }

    private func join(
        _ left: Term, _ function: PredicateFunction, _ right: Term
    ) throws(PredicateSyntaxError) -> Term {
        let (first, second) = (try expression(left), try expression(right))
        return try term(
            .expression(.function(function.rawValue, [first, second])), above: max(left.depth, right.depth))
    }

    /// Reads a value after any number of the signs `-` and `~`. The minus of a number belongs to the number; any other
    /// value is subtracted from 0.
    private mutating func signed() throws(PredicateSyntaxError) -> Term {
        let isComplement = token == .symbol("~")
        guard isComplement || token == .symbol("-") else { return try operand() }
        try advance()
        if !isComplement, case .number(let text) = token { return try suffixes(of: try number("-" + text)) }
        try descend()
        let inner = try signed()
        ascend()
        let value = try expression(inner)
        let result: ObjectExpression =
            isComplement
            ? .function(PredicateFunction.complement.rawValue, [value])
            : .function(PredicateFunction.subtract.rawValue, [.constant(.integer(0)), value])
        return try term(.expression(result), above: inner.depth)
    }

    private mutating func operand() throws(PredicateSyntaxError) -> Term { try suffixes(of: try primary()) }

    /// Reads the keys and indexes that follow a value.
    private mutating func suffixes(of term: Term) throws(PredicateSyntaxError) -> Term {
        var term = term
        while true {
            switch token {
            case .symbol("."):
                let base = try expression(term)
                try advance()
                let path = try path()
                term = try self.path(path, of: base, depth: term.depth)
            case .symbol("["):
                let base = try expression(term)
                try advance()
                term = try element(of: base, depth: term.depth)
            default: return term
            }
        }
    }

    private func path(_ path: String, of base: ObjectExpression, depth: Int) throws(PredicateSyntaxError) -> Term {
        switch base {
        case .evaluatedObject: return leaf(.keyPath(path))
        case .keyPath(let first): return leaf(.keyPath("\(first).\(path)"))
        case .path(let first, let operand):
            return Term(value: .expression(.path("\(first).\(path)", of: operand)), depth: depth)
        default: return try term(.expression(.path(path, of: base)), above: depth)
        }
    }

    /// Reads the rest of an index after its bracket.
    private mutating func element(of base: ObjectExpression, depth: Int) throws(PredicateSyntaxError) -> Term {
        let index: ObjectExpression.Index
        var depth = depth
        switch keyword {
        case "FIRST": index = .first
        case "LAST": index = .last
        case "SIZE": index = .size
        default:
            try descend()
            let inner = try collection()
            ascend()
            index = .at(try expression(inner))
            depth = max(depth, inner.depth)
            try take("]")
            return try term(.expression(.element(of: base, index)), above: depth)
        }
        try advance()
        try take("]")
        return try term(.expression(.element(of: base, index)), above: depth)
    }

    private mutating func primary() throws(PredicateSyntaxError) -> Term {
        switch token {
        case .string(let text):
            try advance()
            return leaf(.constant(.string(text)))
        case .number(let text): return try number(text)
        case .variable(let name):
            try advance()
            return leaf(.variable(name))
        case .placeholder: return try placeholder()
        case .symbol("("):
            try advance()
            try descend()
            let inner = try disjunction()
            ascend()
            guard token == .symbol(")") else { throw expected("\")\"") }
            try advance()
            return inner
        case .symbol("{"):
            try advance()
            let (elements, depth) = try list(until: "}")
            return try term(.expression(.list(elements)), above: depth)
        case .symbol("@"):
            let path = try path()
            return leaf(.keyPath(path))
        case .name("SELF"):
            try advance()
            return leaf(.evaluatedObject)
        case .name(let name): return try named(name)
        case .word(let name): return try word(name)
        case .symbol, .end: throw expectedValue
        }
    }

    private mutating func word(_ name: String) throws(PredicateSyntaxError) -> Term {
        let constant: ObjectExpression
        let keyword = name.asciiUppercased
        switch keyword {
        case "TRUEPREDICATE", "FALSEPREDICATE":
            let truth = keyword == "TRUEPREDICATE"
            try advance()
            return Term(value: .predicate(.constant(truth)), depth: 1)
        case "SELF": constant = .evaluatedObject
        case "NIL", "NULL": constant = .null
        case "TRUE", "YES": constant = .constant(.boolean(true))
        case "FALSE", "NO": constant = .constant(.boolean(false))
        case "CAST", "FUNCTION", "SUBQUERY", "TERNARY", "FETCH": return try special(name)
        case "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
            "ENDSWITH", "BETWEEN":
            throw error("expected a value, found \(found) (a property of this name is written #\(name))")
        default: return try named(name)
        }
        try advance()
        return leaf(constant)
    }

    /// Reads keys joined by points.
    mutating func path() throws(PredicateSyntaxError) -> String {
        var path = ""
        while true {
            if token == .symbol("@") {
                try advance()
                path += "@"
            }
            switch token {
            case .word(let key) where !key.contains(":"):
                path += key
                try advance()
            case .name(let key):
                path += key
                try advance()
            case .placeholder("%K") where path.last != "@": path += try keyArgument()
            // 01.02.2026 without quotes.
            case .number: throw error("expected a key, found \(found) (quote dates: \"2026-01-31\")")
            default: throw expected("a key")
            }
            guard token == .symbol(".") else { return path }
            path += "."
            try advance()
        }
    }

    /// Reads values between commas, and the closing sign.
    mutating func list(
        until end: String
    ) throws(PredicateSyntaxError) -> (elements: [ObjectExpression], depth: Int) {
        var elements: [ObjectExpression] = []
        var depth = 0
        try descend()
        while token != .symbol(end) {
            if !elements.isEmpty { try take(",") }
            let element = try collection()
            elements.append(try expression(element))
            depth = max(depth, element.depth)
            guard token == .symbol(",") || token == .symbol(end) else { throw expected("\",\" or \"\(end)\"") }
        }
        ascend()
        try advance()
        return (elements, depth)
    }

    func leaf(_ expression: ObjectExpression) -> Term { Term(value: .expression(expression), depth: 1) }

    private mutating func number(_ text: String) throws(PredicateSyntaxError) -> Term {
        guard let value = Self.value(ofNumber: text) else {
            throw error("\(Diagnostic.shortened(text)) is not a number, or it is too large")
        }
        try advance()
        return leaf(.constant(value))
    }

    private static func value(ofNumber text: String) -> AttributeValue? {
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" }
        let prefix = digits.prefix(2).lowercased()
        for (base, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where prefix == base {
            // `Int64` would accept a second sign.
            guard digits.dropFirst(2).utf8.allSatisfy(PredicateLexer.isWordByte) else { return nil }
            return Int64((isNegative ? "-" : "") + digits.dropFirst(2), radix: radix).map(AttributeValue.integer)
        }
        if let integer = Int64(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite else { return nil }
        return .double(real)
    }
}
