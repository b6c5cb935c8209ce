import GranaryBase

extension PredicateParser {
    /// Reads a function call or a key path that begins with a name.
    mutating func named(_ name: String) throws(PredicateSyntaxError) -> Term {
        let place = self
        try advance()
        guard token == .symbol("(") else {
            guard !name.contains(":") else { throw place.expected("a name without a colon") }
            guard token == .symbol(".") else { return leaf(.keyPath(name)) }
            try advance()
            let rest = try path()
            return leaf(.keyPath("\(name).\(rest)"))
        }
        try advance()
        let (arguments, depth) = try list(until: ")")
        let call = try self.call(name, arguments, place)
        // The function that an index stands for.
        if call == PredicateFunction.element.rawValue, arguments.count == 2 {
            return try term(.expression(.element(of: arguments[0], .at(arguments[1]))), above: depth)
        }
        if call == PredicateFunction.cast.rawValue { return try cast(arguments, depth: depth, place) }
        return try term(.expression(.function(call, arguments)), above: depth)
    }

    /// The Objective-C name of a called function. An unknown function is kept, since models can contain it.
    private func call(
        _ name: String, _ arguments: [ObjectExpression], _ place: PredicateParser
    ) throws(PredicateSyntaxError) -> String {
        // It would be printed as a number.
        if let first = name.utf8.first, PredicateLexer.isDigit(first) {
            throw place.error("the name of a function cannot begin with a digit")
        }
        let count = arguments.count
        if let function = PredicateFunction(selector: name), function.argumentCounts.contains(count) { return name }
        // `sum(x)` is a short form of `sum:(x)`.
        if PredicateFunction.named(name, argumentCount: count) != nil { return name + ":" }
        if let known = PredicateFunction.like(name) {
            let wanted = known.argumentCounts.lowerBound
            let hint = wanted > 1 ? ", and all colons of its name are written" : ""
            throw place.error("the function \(known.rawValue) takes \(Self.phrase(wanted))\(hint)")
        }
        let colons = name.utf8.count(where: { $0 == UInt8(ascii: ":") })
        guard colons == count || (colons == 0 && count < 2) else {
            let short = Diagnostic.shortened(PredicateFunction.shortened(name))
            let hint = PredicateFunction.hint(for: name)
            throw place.error("there is no function \"\(short)\" with \(Self.phrase(count))\(hint)")
        }
        return colons == 0 && count == 1 ? name + ":" : name
    }

    private static func phrase(_ count: Int) -> String {
        count == 0 ? "no arguments" : count == 1 ? "1 argument" : "\(count) arguments"
    }

    /// Reads what a reserved word before a parenthesis begins. Without one the word is a key.
    mutating func special(_ name: String) throws(PredicateSyntaxError) -> Term {
        let place = self
        try advance()
        guard token == .symbol("(") else {
            guard token == .symbol(".") else { return leaf(.keyPath(name)) }
            try advance()
            let rest = try path()
            return leaf(.keyPath("\(name).\(rest)"))
        }
        try advance()
        let keyword = name.asciiUppercased
        switch keyword {
        case "CAST": return try cast(place)
        case "FUNCTION": return try method(place)
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try conditional()
        default: throw place.error("\(keyword) is not supported")
        }
    }

    /// Reads the rest of `CAST(x, "type")`. A cast of a constant is a constant, since constants are printed so.
    private mutating func cast(_ place: PredicateParser) throws(PredicateSyntaxError) -> Term {
        let (arguments, depth) = try list(until: ")")
        return try cast(arguments, depth: depth, place)
    }

    private func cast(
        _ arguments: [ObjectExpression], depth: Int, _ place: PredicateParser
    ) throws(PredicateSyntaxError) -> Term {
        guard arguments.count == 2, case .constant(.string(let type)) = arguments[1] else {
            throw place.error("CAST takes a value and the name of a class")
        }
        if case .constant(let value) = arguments[0] {
            switch CastTarget(rawValue: type)?.constant(value) ?? .function {
            case .value(let value): return leaf(.constant(value))
            case .invalid(let reason): throw place.error("the value of this CAST is not \(reason)")
            case .function: break
            }
        }
        return try term(.expression(.function(PredicateFunction.cast.rawValue, arguments)), above: depth)
    }

    /// Reads the rest of `FUNCTION(object, "method:", x)`.
    private mutating func method(_ place: PredicateParser) throws(PredicateSyntaxError) -> Term {
        let (arguments, depth) = try list(until: ")")
        guard arguments.count >= 2, case .constant(.string(let selector)) = arguments[1], !selector.isEmpty else {
            throw place.error("FUNCTION takes an object, the name of a method and its arguments")
        }
        let rest = Array(arguments.dropFirst(2))
        return try term(.expression(.method(selector, of: arguments[0], rest)), above: depth)
    }

    /// Reads the rest of `SUBQUERY(collection, $x, condition)`.
    private mutating func subquery() throws(PredicateSyntaxError) -> Term {
        try descend()
        let collection = try collection()
        let source = try expression(collection)
        try take(",")
        guard case .variable(let name) = token else { throw expected("a variable such as $x") }
        try advance()
        try take(",")
        let term = try disjunction()
        let condition = try predicate(term)
        ascend()
        try take(")")
        return try self.term(
            .expression(.subquery(source, variable: name, condition)), above: max(collection.depth, term.depth))
    }

    /// Reads the rest of `TERNARY(condition, value, other value)`.
    private mutating func conditional() throws(PredicateSyntaxError) -> Term {
        try descend()
        let condition = try disjunction()
        let test = try predicate(condition)
        try take(",")
        let first = try collection()
        let value = try expression(first)
        try take(",")
        let second = try collection()
        let other = try expression(second)
        ascend()
        try take(")")
        return try term(
            .expression(.conditional(test, value, other)), above: max(condition.depth, first.depth, second.depth))
    }
}

// MARK: Placeholders

extension PredicateParser {
    func checkArgumentCount() throws(PredicateSyntaxError) {
        guard let arguments, arguments.count != argumentCount else { return }
        let placeholders = argumentCount == 1 ? "1 placeholder" : "\(argumentCount) placeholders"
        throw error("got \(Self.phrase(arguments.count)) for \(placeholders)")
    }

    /// The argument of the current placeholder, which stays the current token. A nil argument is NULL.
    private mutating func argument() throws(PredicateSyntaxError) -> ObjectExpression {
        guard case .placeholder(let sign) = token else { throw expected("a placeholder") }
        guard let arguments else { throw error("placeholders such as %@ and %K have no meaning here") }
        guard argumentCount < arguments.count else {
            throw error("there is no argument for \(sign), placeholder \(argumentCount + 1)")
        }
        let argument = arguments[argumentCount]
        argumentCount += 1
        return argument?.predicateExpression ?? .null
    }

    /// Reads `%@`, a number such as `%d`, or `%K`.
    mutating func placeholder() throws(PredicateSyntaxError) -> Term {
        guard case .placeholder(let sign) = token else { throw expected("a placeholder") }
        if sign == "%K" {
            let path = try keyArgument()
            // No property has this name; it is the tested object, as in code.
            if path == "SELF" { return leaf(.evaluatedObject) }
            return leaf(.keyPath(path.hasPrefix("SELF.") ? String(path.dropFirst("SELF.".count)) : path))
        }
        var expression = try argument()
        if sign != "%@" {
            let isReal = sign.last.map { "fFeEgGaA".contains($0) } ?? false
            guard let number = Self.number(expression, isReal: isReal) else {
                throw error("the argument of \(sign) is not \(isReal ? "a number" : "an integer")")
            }
            expression = .constant(number)
        }
        guard !expression.isTooDeep else { throw tooDeep }
        try advance()
        return Term(value: .expression(expression), depth: expression.depth)
    }

    private static func number(_ expression: ObjectExpression, isReal: Bool) -> AttributeValue? {
        guard case .constant(let value) = expression else { return nil }
        switch value {
        case .integer(let number): return isReal ? .double(Double(number)) : value
        case .boolean(let truth): return isReal ? .double(truth ? 1 : 0) : .integer(truth ? 1 : 0)
        case .float, .double, .decimal: return isReal ? value : nil
        case .string, .date, .binary, .uuid, .uri: return nil
        }
    }

    /// Reads `%K`: its argument is keys joined by points, and nothing else.
    mutating func keyArgument() throws(PredicateSyntaxError) -> String {
        switch try argument() {
        case .constant(.string(let path)), .keyPath(let path):
            guard PredicateLexer.isKeyPath(path) else {
                throw error("the argument of %K, \"\(Diagnostic.shortened(path))\", is not a key path")
            }
            try advance()
            return path
        default: throw error("the argument of %K is not the text of a key path")
        }
    }
}
