import Foundation

/// A condition on an object or a value, as a tree. (`NSPredicate`; Foundation owns the name `Predicate`.)
///
/// Comparisons are two-valued, as in `NSPredicate` in memory: a comparison with NULL is true or false, never unknown.
/// Text compares by its UTF-8 bytes unless there are options.
public indirect enum ObjectPredicate: Sendable, Hashable, Codable {
    /// Always true or always false. (`TRUEPREDICATE`, `FALSEPREDICATE`)
    case constant(Bool)
    /// A comparison of two expressions. The options apply to text. (`NSComparisonPredicate`)
    case comparison(ObjectExpression, Operator, ObjectExpression, Options)
    /// Whether a value is between two inclusive bounds. False if one of the three is NULL.
    case between(ObjectExpression, lower: ObjectExpression, upper: ObjectExpression)
    /// True if all parts are true; an empty list is true. (`NSCompoundPredicate`)
    case and([ObjectPredicate])
    /// True if at least one part is true; an empty list is false. (`NSCompoundPredicate`)
    case or([ObjectPredicate])
    /// True if the part is false. (`NSCompoundPredicate`)
    case not(ObjectPredicate)

    /// A comparison operator.
    public enum Operator: String, Sendable, Hashable, Codable {
        /// NULL equals only NULL. Numbers of different types compare by value.
        case equal = "=="
        /// The negation of ``equal``: a value and NULL are not equal.
        case notEqual = "!="
        /// False if a side is NULL, or the two have no order.
        case less = "<"
        /// False if a side is NULL, or the two have no order.
        case lessOrEqual = "<="
        /// False if a side is NULL, or the two have no order.
        case greater = ">"
        /// False if a side is NULL, or the two have no order.
        case greaterOrEqual = ">="
        /// The right side is an ICU regular expression that the whole left side must match.
        case matches = "MATCHES"
        /// The text on the left begins with the text on the right. False if a side is not text or a URI.
        case beginsWith = "BEGINSWITH"
        /// The text on the left ends with the text on the right. False if a side is not text or a URI.
        case endsWith = "ENDSWITH"
        /// The text on the left contains the text on the right, or the list on the left contains the right side.
        case contains = "CONTAINS"
        /// The list on the right contains the left side.
        case isIn = "IN"
    }

    /// Options for comparing text: `[c]` ignores case, `[d]` ignores accents and other marks.
    public struct Options: OptionSet, Sendable, Hashable, Codable {
        /// The options as Core Data's bit mask. (`NSComparisonPredicate.Options`)
        public let rawValue: Int

        /// The options of a bit mask; 0 for none.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `[c]`: ignores case.
        public static let caseInsensitive = Self(rawValue: 1)
        /// `[d]`: ignores accents and other marks.
        public static let diacriticInsensitive = Self(rawValue: 2)
    }
}

/// An operand of a comparison. (`NSExpression`)
public indirect enum ObjectExpression: Sendable, Hashable, Codable {
    /// The tested object or value: `SELF`.
    case evaluatedObject
    /// A constant value.
    case constant(AttributeValue)
    /// NULL: `nil` in the format language.
    case null
    /// A value reached from the tested object by property names: `department.name`, or `length` of a text.
    case keyPath(String)
    /// Several values, for the right side of `IN`; NULL values are omitted.
    case list([ObjectExpression])
}

extension ObjectPredicate {
    /// A comparison without options.
    public static func compare(_ left: ObjectExpression, _ operation: Operator, _ right: ObjectExpression) -> Self {
        .comparison(left, operation, right, [])
    }
}

extension ObjectPredicate {
    /// The maximum nesting depth of predicates and their expressions. The model check refuses deeper ones, so
    /// evaluation may recurse. An archive nests up to three levels for each of these levels; archives are read up to
    /// 256 levels.
    package static let depthLimit = 64

    /// Whether the tree is deeper than ``depthLimit``; computed without recursion.
    package var isTooDeep: Bool {
        var stack = [(self, 1)]
        while let (part, depth) = stack.popLast() {
            guard depth <= Self.depthLimit else { return true }
            switch part {
            case .and(let parts), .or(let parts): stack.append(contentsOf: parts.map { ($0, depth + 1) })
            case .not(let inner): stack.append((inner, depth + 1))
            case .constant: break
            case .comparison(let left, _, let right, _):
                if left.isTooDeep(at: depth + 1) || right.isTooDeep(at: depth + 1) { return true }
            case .between(let value, let lower, let upper):
                if [value, lower, upper].contains(where: { $0.isTooDeep(at: depth + 1) }) { return true }
            }
        }
        return false
    }

    /// The regular expressions on the right of `MATCHES`. The predicate must not be too deep.
    var matchExpressions: [(source: String, ignoringCase: Bool)] {
        switch self {
        case .and(let parts), .or(let parts): parts.flatMap(\.matchExpressions)
        case .not(let part): part.matchExpressions
        case .comparison(_, .matches, .constant(.string(let source)), let options):
            [(source, options.contains(.caseInsensitive))]
        case .constant, .comparison, .between: []
        }
    }

    /// The key paths in the predicate, which must not be too deep.
    package var keyPaths: [String] {
        switch self {
        case .and(let parts), .or(let parts): parts.flatMap(\.keyPaths)
        case .not(let part): part.keyPaths
        case .comparison(let left, _, let right, _): left.keyPaths + right.keyPaths
        case .between(let value, let lower, let upper): value.keyPaths + lower.keyPaths + upper.keyPaths
        case .constant: []
        }
    }
}

extension ObjectExpression {
    fileprivate var keyPaths: [String] {
        switch self {
        case .keyPath(let path): [path]
        case .list(let elements): elements.flatMap(\.keyPaths)
        case .evaluatedObject, .constant, .null: []
        }
    }

    fileprivate func isTooDeep(at depth: Int) -> Bool {
        var stack = [(self, depth)]
        while let (part, depth) = stack.popLast() {
            guard depth <= ObjectPredicate.depthLimit else { return true }
            if case .list(let elements) = part { stack.append(contentsOf: elements.map { ($0, depth + 1) }) }
        }
        return false
    }
}

/// The predicate in its format language, like `NSPredicate.predicateFormat`.
extension ObjectPredicate: CustomStringConvertible {
    public var description: String {
        switch self {
        case .constant(true): "TRUEPREDICATE"
        case .constant(false): "FALSEPREDICATE"
        case .comparison(let left, let operation, let right, let options):
            "\(left) \(operation.rawValue)\(options.suffix) \(right)"
        case .between(let value, let lower, let upper): "\(value) BETWEEN {\(lower), \(upper)}"
        case .and(let parts): parts.isEmpty ? "TRUEPREDICATE" : parts.map(\.grouped).joined(separator: " AND ")
        case .or(let parts): parts.isEmpty ? "FALSEPREDICATE" : parts.map(\.grouped).joined(separator: " OR ")
        case .not(let part): "NOT \(part.grouped)"
        }
    }

    private var grouped: String {
        switch self {
        case .and, .or: "(\(self))"
        default: description
        }
    }
}

extension ObjectPredicate.Options {
    fileprivate var suffix: String {
        let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

extension ObjectExpression: CustomStringConvertible {
    public var description: String {
        switch self {
        case .evaluatedObject: "SELF"
        case .null: "nil"
        case .keyPath(let path): path
        case .list(let elements): "{" + elements.map(\.description).joined(separator: ", ") + "}"
        case .constant(let value): value.predicateText
        }
    }
}

extension AttributeValue {
    fileprivate var predicateText: String {
        switch self {
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "YES" : "NO"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .date(let value): "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .binary(let value): "<\(value.count) bytes>"
        case .uuid(let value): value.uuidString
        case .uri(let value): Self.quoted(value.absoluteString)
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
