import Foundation
import GranaryBase

/// The expression in the format language, as `NSExpression.description` prints it.
extension ObjectExpression: CustomStringConvertible {
    /// The reserved words, in upper case. A key with such a name is written with `#`. From Apple's "Predicate Format
    /// String Syntax".
    package static let reservedWords: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "FUNCTION", "TERNARY", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    public var description: String {
        switch self {
        case .evaluatedObject: "SELF"
        case .null: "nil"
        case .constant(let value): value.predicateText
        case .object(let reference): AttributeValue.quoted(reference.uri)
        case .variable(let name): "$" + name
        case .keyPath(let path): Self.marked(path)
        case .path(let path, let operand): "\(operand.grouped).\(Self.marked(path))"
        case .list(let elements): "{\(Self.joined(elements))}"
        case .function(let name, let arguments): Self.call(name, arguments)
        case .method(let name, let operand, let arguments):
            "FUNCTION(\(Self.joined([operand, .constant(.string(name))] + arguments)))"
        case .className(let name): name
        case .subquery(let collection, let variable, let condition):
            "SUBQUERY(\(collection), $\(variable), \(condition))"
        case .conditional(let condition, let first, let second): "TERNARY(\(condition), \(first), \(second))"
        case .element(let collection, let index): "\(collection.grouped)[\(index)]"
        case .combined(let left, let operation, let right):
            "\(left.grouped) \(operation.rawValue) \(right.grouped)"
        }
    }

    private static func joined(_ expressions: [ObjectExpression]) -> String {
        expressions.map(\.description).joined(separator: ", ")
    }

    private static func call(_ name: String, _ arguments: [ObjectExpression]) -> String {
        if let sign = PredicateFunction(rawValue: name)?.sign, arguments.count == 2 {
            return arguments.map(\.groupedTerm).joined(separator: " \(sign) ")
        }
        if name == PredicateFunction.cast.rawValue, arguments.count == 2 { return "CAST(\(joined(arguments)))" }
        return "\(marked(name))(\(joined(arguments)))"
    }

    /// In parentheses if signs are in it, so that a key, an index or another sign can stand beside it.
    private var groupedTerm: String {
        switch self {
        case .combined: "(\(self))"
        case .function where sign != nil: "(\(self))"
        default: description
        }
    }

    /// The sign that the expression is printed with.
    private var sign: PredicateFunction? {
        guard case .function(let name, let arguments) = self, arguments.count == 2,
            let function = PredicateFunction(rawValue: name), function.sign != nil
        else { return nil }
        return function
    }

    /// The text as a side of a comparison. Bitwise signs are in parentheses, because many languages read
    /// `flags & 4 != 0` in another way.
    var sideText: String { sign?.isBitwise == true ? "(\(self))" : description }

    /// As ``groupedTerm``; also a negative number is in parentheses.
    private var grouped: String {
        guard case .constant = self, description.hasPrefix("-") else { return groupedTerm }
        return "(\(self))"
    }

    private static func marked(_ path: String) -> String {
        path.split(separator: ".", omittingEmptySubsequences: false).enumerated()
            .map { place, key in
                // A path that was made in code can begin with SELF itself.
                let isSelf = place == 0 && key == "SELF"
                let isNumber = key.utf8.first.map(PredicateLexer.isDigit) ?? false
                return !isSelf && (isNumber || reservedWords.contains(key.asciiUppercased)) ? "#\(key)" : String(key)
            }
            .joined(separator: ".")
    }
}

extension ObjectExpression.Index: CustomStringConvertible {
    public var description: String {
        switch self {
        case .at(let index): index.description
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        }
    }
}

extension AttributeValue {
    fileprivate var predicateText: String {
        switch self {
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "1" : "0"
        case .float(let value): Self.text(of: Double(value))
        case .double(let value): Self.text(of: value)
        case .decimal(let value): Self.text(of: value)
        case .string(let value): Self.quoted(value)
        case .date(let value): Self.text(of: value)
        case .binary(let value): Self.cast(value.base64EncodedString(), "NSData")
        case .uuid(let value): Self.cast(value.uuidString, "NSUUID")
        case .uri(let value): Self.cast(value.absoluteString, "NSURL")
        }
    }

    private static func cast(_ text: String, _ type: String) -> String { "CAST(\(quoted(text)), \"\(type)\")" }

    private static func text(of value: Double) -> String {
        value.isFinite ? value.description : cast(value.description, "NSNumber")
    }

    /// A plain number if it is the same number exactly.
    private static func text(of value: Decimal) -> String {
        let text = value.description
        guard let exact = ExactDecimal(exactly: value) else { return cast(text, "NSDecimalNumber") }
        if exact.int64 != nil { return text }
        return isDouble(exact) ? exact.nearestDouble.description : cast(text, "NSDecimalNumber")
    }

    /// Whether a double holds the number exactly: its odd part has at most 53 bits.
    private static func isDouble(_ number: ExactDecimal) -> Bool {
        var digits = number.mantissa
        var exponent = number.exponent
        while exponent < 0 {
            guard digits.isMultiple(of: 5) else { return false }
            digits /= 5
            exponent += 1
        }
        while exponent > 0 {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 5)
            if overflow { return false }
            digits = product
            exponent -= 1
        }
        return digits >> digits.trailingZeroBitCount < 1 << 53
    }

    /// Six decimals, as Foundation prints dates, or more if the date needs them.
    private static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite else { return cast(seconds.description, "NSDate") }
        let text = seconds.magnitude < 1e15 ? String(format: "%.6f", seconds) : seconds.description
        return "CAST(\(Double(text) == seconds ? text : seconds.description), \"NSDate\")"
    }

    fileprivate static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
