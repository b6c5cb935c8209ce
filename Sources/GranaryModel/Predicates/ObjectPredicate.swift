/// A condition on an object or a value, as a tree. (`NSPredicate`; Foundation owns the name `Predicate`.)
///
/// Comparisons are two-valued, as `NSPredicate`'s are in memory: a comparison with NULL is true or false, never
/// unknown. Text compares by its UTF-8 bytes unless an option says otherwise.
public indirect enum ObjectPredicate: Sendable, Hashable, Codable {
    case constant(Bool)
    case comparison(ObjectExpression, Operator, ObjectExpression, Options)
    case between(ObjectExpression, lower: ObjectExpression, upper: ObjectExpression)
    case and([ObjectPredicate])
    case or([ObjectPredicate])
    case not(ObjectPredicate)

    /// How two values are compared.
    public enum Operator: String, Sendable, Hashable, Codable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        /// The right side is an ICU expression that the whole left side must match.
        case matches = "MATCHES"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        /// The right side is a list.
        case isIn = "IN"
    }

    /// How text is compared: `[c]` ignores case, `[d]` marks such as accents.
    public struct Options: OptionSet, Sendable, Hashable, Codable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let caseInsensitive = Self(rawValue: 1)
        public static let diacriticInsensitive = Self(rawValue: 2)
    }
}

/// A side of a comparison. (`NSExpression`)
public indirect enum ObjectExpression: Sendable, Hashable, Codable {
    /// The object or value that is tested.
    case evaluatedObject
    case constant(AttributeValue)
    case null
    /// A value reached from the tested object over the named properties: `department.name`, or `length` of a text.
    case keyPath(String)
    case list([ObjectExpression])
}

extension ObjectPredicate {
    /// A comparison without options; the form that rules in code mostly take.
    public static func compare(_ left: ObjectExpression, _ operation: Operator, _ right: ObjectExpression) -> Self {
        .comparison(left, operation, right, [])
    }
}
