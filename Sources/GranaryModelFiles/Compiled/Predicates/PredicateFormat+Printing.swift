import Foundation
import GranaryBase
import GranaryModel

extension PredicateFormat {
    /// The condition as `NSPredicate.predicateFormat` prints it: only a compound within a compound is in parentheses.
    static func text(of predicate: PredicateNode) -> String {
        switch predicate {
        case .constant(let truth): truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let node): text(of: node)
        case .compound(.not, let parts): "NOT " + (parts.first.map(grouped) ?? "FALSEPREDICATE")
        case .compound(.and, let parts): joined(parts, " AND ", empty: "TRUEPREDICATE")
        case .compound(.or, let parts): joined(parts, " OR ", empty: "FALSEPREDICATE")
        }
    }

    private static func joined(_ parts: [PredicateNode], _ word: String, empty: String) -> String {
        guard let first = parts.first else { return empty }
        return parts.count == 1 ? text(of: first) : parts.map(grouped).joined(separator: word)
    }

    private static func grouped(_ predicate: PredicateNode) -> String {
        if case .compound = predicate { "(\(text(of: predicate)))" } else { text(of: predicate) }
    }

    private static func text(of node: PredicateComparisonNode) -> String {
        let modifier =
            switch node.modifier {
            case .direct: ""
            case .all: "ALL "
            case .any: "ANY "
            }
        let operation = node.operation.symbol + node.options.suffix
        return "\(modifier)\(text(of: node.left)) \(operation) \(text(of: node.right))"
    }

    /// The value as `NSExpression.description` prints it.
    static func text(of expression: ExpressionNode) -> String {
        switch expression {
        case .constant(let constant): text(of: constant)
        case .evaluatedObject: "SELF"
        case .variable(let name): "$" + name
        case .keyPath(let path, of: .evaluatedObject): marked(path)
        case .keyPath(let path, let operand): "\(grouped(operand)).\(marked(path))"
        case .function(let name, let operand, let arguments): text(of: name, operand, arguments)
        case .aggregate(let elements): "{" + elements.map { text(of: $0) }.joined(separator: ", ") + "}"
        }
    }

    private static func text(of name: String, _ operand: ExpressionNode, _ arguments: [ExpressionNode]) -> String {
        let list = arguments.map { text(of: $0) }
        guard operand == .utilities else {
            return "FUNCTION(" + ([text(of: operand), quoted(name)] + list).joined(separator: ", ") + ")"
        }
        if let sign = signs[name], arguments.count == 2 {
            return arguments.map(grouped).joined(separator: " \(sign) ")
        }
        if name == "castObject:toType:" { return "CAST(" + list.joined(separator: ", ") + ")" }
        return marked(name) + "(" + list.joined(separator: ", ") + ")"
    }

    private static func grouped(_ expression: ExpressionNode) -> String {
        let plain = text(of: expression)
        guard case .function(let name, let operand, let arguments) = expression, operand == .utilities,
            signs[name] != nil, arguments.count == 2
        else { return plain }
        return "(\(plain))"
    }

    private static func marked(_ path: String) -> String {
        path.split(separator: ".", omittingEmptySubsequences: false)
            .map { reservedWords.contains($0.uppercased()) ? "#\($0)" : String($0) }
            .joined(separator: ".")
    }

    private static func text(of constant: PredicateConstant) -> String {
        switch constant {
        case .null: "nil"
        case .className(let name): name
        case .list(let values): "{" + values.map { text(of: $0) }.joined(separator: ", ") + "}"
        case .value(let value): text(of: value)
        }
    }

    private static func text(of value: AttributeValue) -> String {
        switch value {
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "1" : "0"
        case .float(let value): number(value.description)
        case .double(let value): number(value.description)
        case .decimal(let value): value.description
        case .string(let value): quoted(value)
        case .date(let value): "CAST(\(seconds(value)), \"NSDate\")"
        // As Apple prints it. It cannot be parsed again.
        case .binary(let value): "<\(value.count) bytes>"
        case .uuid(let value): value.uuidString
        case .uri(let value): value.absoluteString
        }
    }

    /// Whole numbers without a fraction, as `NSNumber` prints them.
    private static func number(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Six decimals, as Foundation prints dates, or more if the date needs them.
    private static func seconds(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = String(format: "%.6f", seconds)
        return Double(text) == seconds ? text : seconds.description
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension PredicateComparisonNode.Operator {
    var symbol: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .isIn: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }
}

extension PredicateComparisonNode.Options {
    /// In the order in which Foundation prints them.
    static let letters: [(letter: Character, option: Self)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("l", .localeSensitive), ("n", .normalized),
        ("w", .wordwise),
    ]

    fileprivate var suffix: String {
        let letters = Self.letters.filter { contains($0.option) }.map { String($0.letter) }.joined()
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
