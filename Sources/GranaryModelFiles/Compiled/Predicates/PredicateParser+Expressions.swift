import Foundation
import GranaryBase
import GranaryModel

extension PredicateParser {
    mutating func sum() throws(GranaryError) -> Term {
        var left = try product()
        while token == .symbol("+") || token == .symbol("-") {
            let name = token == .symbol("+") ? "add:to:" : "from:subtract:"
            try advance()
            let right = try product()
            left = try join(left, name, right)
        }
        return left
    }

    private mutating func product() throws(GranaryError) -> Term {
        var left = try power()
        while token == .symbol("*") || token == .symbol("/") {
            let name = token == .symbol("*") ? "multiply:by:" : "divide:by:"
            try advance()
            let right = try power()
            left = try join(left, name, right)
        }
        return left
    }

    private mutating func power() throws(GranaryError) -> Term {
        var left = try operand()
        while token == .symbol("**") {
            try advance()
            let right = try operand()
            left = try join(left, "raise:toPower:", right)
        }
        return left
    }

    private func join(_ left: Term, _ name: String, _ right: Term) throws(GranaryError) -> Term {
        let (first, second) = (try expression(left), try expression(right))
        return try term(.expression(.call(name, first, second)), above: max(left.depth, right.depth))
    }

    /// Reads a value and the keys that follow it.
    private mutating func operand() throws(GranaryError) -> Term {
        let first = try primary()
        guard token == .symbol(".") else { return first }
        let base = try expression(first)
        try advance()
        let path = try path()
        return try term(.expression(.keyPath(path, of: base)), above: first.depth)
    }

    private mutating func primary() throws(GranaryError) -> Term {
        switch token {
        case .string(let text):
            try advance()
            return leaf(.value(.string(text)))
        case .number(let text): return try number(text)
        case .variable(let name):
            try advance()
            return leaf(.variable(name))
        case .symbol("-"):
            try advance()
            guard case .number(let text) = token else { throw expected("a number after -") }
            return try number("-" + text)
        case .symbol("("):
            try advance()
            try descend()
            let inner = try disjunction()
            ascend()
            try take(")")
            return inner
        case .symbol("{"):
            try advance()
            let (elements, depth) = try list(until: "}")
            return try term(.expression(.aggregate(elements)), above: depth)
        case .symbol("@"):
            let path = try path()
            return leaf(.path(path))
        case .name(let name): return try named(name)
        case .word(let name): return try word(name)
        case .symbol, .end: throw expected("a value")
        }
    }

    private mutating func word(_ name: String) throws(GranaryError) -> Term {
        let constant: ExpressionNode
        switch name.uppercased() {
        case "TRUEPREDICATE", "FALSEPREDICATE":
            let truth = name.uppercased() == "TRUEPREDICATE"
            try advance()
            return Term(value: .predicate(.constant(truth)), depth: 1)
        case "SELF": constant = .evaluatedObject
        case "NIL", "NULL": constant = .constant(.null)
        case "TRUE", "YES": constant = .value(.boolean(true))
        case "FALSE", "NO": constant = .value(.boolean(false))
        case "CAST": return try cast(name)
        case "FUNCTION": return try function(name)
        case "SUBQUERY", "TERNARY": throw error("\(name.uppercased()) is not supported")
        case "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
            "ENDSWITH", "BETWEEN":
            throw expected("a value (an attribute of this name is written #\(name))")
        default: return try named(name)
        }
        try advance()
        return leaf(constant)
    }

    /// Reads a function call or a key path.
    private mutating func named(_ name: String) throws(GranaryError) -> Term {
        let place = self
        try advance()
        guard token == .symbol("(") else {
            guard !name.contains(":") else { throw place.expected("a name without a colon") }
            guard token == .symbol(".") else { return leaf(.path(name)) }
            try advance()
            let rest = try path()
            return leaf(.path("\(name).\(rest)"))
        }
        try advance()
        let (arguments, depth) = try list(until: ")")
        let colons = name.utf8.count(where: { $0 == UInt8(ascii: ":") })
        // `sum(x)` is a short form of `sum:(x)`.
        let selector = colons == 0 && arguments.count == 1 ? name + ":" : name
        guard colons == arguments.count || (colons == 0 && arguments.count < 2) else {
            throw place.error("the function \(Diagnostic.shortened(name)) has \(arguments.count) arguments")
        }
        return try term(
            .expression(.function(selector, operand: .utilities, arguments: arguments)), above: max(depth, 1))
    }

    /// Reads `CAST(x, "type")`. A number cast to `NSDate` becomes a date, since dates are printed so.
    private mutating func cast(_ name: String) throws(GranaryError) -> Term {
        let place = self
        try advance()
        guard token == .symbol("(") else { return leaf(.path(name)) }
        try advance()
        let (arguments, depth) = try list(until: ")")
        guard arguments.count == 2, case .constant(.value(.string(let type)))? = arguments.last else {
            throw place.error("CAST takes a value and the name of a class")
        }
        if type == "NSDate", case .constant(.value(let value))? = arguments.first, let seconds = value.seconds {
            return leaf(.value(.date(Date(timeIntervalSinceReferenceDate: seconds))))
        }
        return try term(
            .expression(.function("castObject:toType:", operand: .utilities, arguments: arguments)), above: depth)
    }

    /// Reads `FUNCTION(object, "method:", x)`.
    private mutating func function(_ name: String) throws(GranaryError) -> Term {
        let place = self
        try advance()
        guard token == .symbol("(") else { return leaf(.path(name)) }
        try advance()
        let (arguments, depth) = try list(until: ")")
        guard let object = arguments.first, arguments.count >= 2,
            case .constant(.value(.string(let selector))) = arguments[1], !selector.isEmpty
        else { throw place.error("FUNCTION takes an object, the name of a method and its arguments") }
        return try term(
            .expression(.function(selector, operand: object, arguments: Array(arguments.dropFirst(2)))), above: depth)
    }

    /// Reads keys joined by points.
    private mutating func path() throws(GranaryError) -> String {
        var path = ""
        while true {
            if token == .symbol("@") {
                try advance()
                path += "@"
            }
            switch token {
            case .word(let key) where !key.contains(":"): path += key
            case .name(let key): path += key
            default: throw expected("a key")
            }
            try advance()
            guard token == .symbol(".") else { return path }
            path += "."
            try advance()
        }
    }

    /// Reads values between commas, and the closing sign.
    private mutating func list(until end: String) throws(GranaryError) -> (elements: [ExpressionNode], depth: Int) {
        var elements: [ExpressionNode] = []
        var depth = 0
        try descend()
        while token != .symbol(end) {
            if !elements.isEmpty { try take(",") }
            let element = try sum()
            elements.append(try expression(element))
            depth = max(depth, element.depth)
            guard token == .symbol(",") || token == .symbol(end) else { throw expected("\",\" or \"\(end)\"") }
        }
        ascend()
        try advance()
        return (elements, depth)
    }

    private func leaf(_ expression: ExpressionNode) -> Term {
        // A key path has its operand below it.
        if case .keyPath = expression { return Term(value: .expression(expression), depth: 2) }
        return Term(value: .expression(expression), depth: 1)
    }

    private mutating func number(_ text: String) throws(GranaryError) -> Term {
        guard let value = Self.value(ofNumber: text) else {
            throw error("\(Diagnostic.shortened(text)) is not a number")
        }
        try advance()
        return leaf(.value(value))
    }

    private static func value(ofNumber text: String) -> AttributeValue? {
        let digits = text.drop { $0 == "-" }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.lowercased().hasPrefix(prefix) {
            let sign = text.hasPrefix("-") ? "-" : ""
            return Int64(sign + digits.dropFirst(2), radix: radix).map(AttributeValue.integer)
        }
        if let integer = Int64(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite else { return nil }
        return .double(real)
    }
}

extension AttributeValue {
    fileprivate var seconds: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
