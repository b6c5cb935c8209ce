import GranaryBase

/// The parsed expression of a derived attribute. Names are not resolved.
///
/// Apple documents these forms for `NSDerivedAttributeDescription`: a key path (`name`, `chat.serverId`), a text
/// function of a key path (`canonical:(name)`), `@count` and `@sum` of a to-many, and `now()`. An aggregate's operator
/// comes after or before its attribute (`items.price.@sum`, `items.@sum.price`), or is a function
/// (`sum:(items.price)`). `@min`, `@max` and `@avg` are operators of key-value coding, which Apple does not document
/// here.
package enum DerivedExpression: Hashable, Sendable {
    case now
    case value(path: [String], function: TextFunction?)
    /// An aggregate of a path without the operator. The path is never empty.
    case aggregate(Aggregate, path: [String])

    package enum TextFunction: String, Sendable {
        case canonical, uppercase, lowercase

        /// The value of the function.
        package func apply(_ text: String) -> String {
            switch self {
            case .canonical: CanonicalText.canonical(text)
            case .uppercase: text.uppercased()
            case .lowercase: text.lowercased()
            }
        }
    }

    package enum Aggregate: String, Sendable {
        case count, sum, min, max
        case average = "avg"

        /// Creates an aggregate from the name of an `NSExpression` function.
        package init?(function: String) {
            switch function {
            case "average": self = .average
            case "avg": return nil
            default: self.init(rawValue: function)
            }
        }
    }

    /// Parses an expression. Nil if it has another form.
    package static func parse(_ expression: String) -> DerivedExpression? {
        let text = trimmed(expression[...])
        if text == "now()" { return .now }
        guard text.last == ")" else { return names(text).flatMap { keyPath($0) } }
        guard let open = text.firstIndex(of: "(") else { return nil }
        let head = text[..<open]
        guard head.last == ":", let path = names(text[text.index(after: open)...].dropLast()) else { return nil }
        let name = String(head.dropLast())
        if let function = TextFunction(rawValue: name) { return .value(path: path, function: function) }
        return Aggregate(function: name).map { .aggregate($0, path: path) }
    }

    private static func keyPath(_ names: [String]) -> DerivedExpression? {
        guard let place = names.firstIndex(where: { $0.hasPrefix("@") }) else {
            return .value(path: names, function: nil)
        }
        guard place > 0, let aggregate = Aggregate(rawValue: String(names[place].dropFirst())) else { return nil }
        var path = names
        path.remove(at: place)
        return .aggregate(aggregate, path: path)
    }

    private static func names(_ path: Substring) -> [String]? {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        return names.contains { $0.isEmpty } ? nil : names
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
