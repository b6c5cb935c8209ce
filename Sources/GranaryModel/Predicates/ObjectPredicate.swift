/// A condition on an object or a value, as a tree. (`NSPredicate`; Foundation owns the name `Predicate`.)
///
/// Comparisons are two-valued, as `NSPredicate`'s are in memory: a comparison with NULL is true or false, never
/// unknown. Text compares by its UTF-8 bytes unless an option says otherwise.
public indirect enum ObjectPredicate: Sendable, Hashable, Codable {
    /// Always true or always false. (`TRUEPREDICATE`, `FALSEPREDICATE`)
    case constant(Bool)
    /// Compares the first side with the second. The options change how text compares. (`NSComparisonPredicate`)
    case comparison(ObjectExpression, Operator, ObjectExpression, Options)
    /// Whether a value lies between two bounds, both included. False where one of the three is NULL.
    case between(ObjectExpression, lower: ObjectExpression, upper: ObjectExpression)
    /// True when all parts are; an empty list is true. (`NSCompoundPredicate`)
    case and([ObjectPredicate])
    /// True when at least one part is; an empty list is false. (`NSCompoundPredicate`)
    case or([ObjectPredicate])
    /// True when the part is false. (`NSCompoundPredicate`)
    case not(ObjectPredicate)

    /// How two values are compared.
    public enum Operator: String, Sendable, Hashable, Codable {
        /// NULL equals NULL and nothing else. Numbers of different types compare by their value.
        case equal = "=="
        /// The opposite of ``equal``: a value and NULL are not equal.
        case notEqual = "!="
        /// False where a side is NULL, or the two have no order.
        case less = "<"
        /// False where a side is NULL, or the two have no order.
        case lessOrEqual = "<="
        /// False where a side is NULL, or the two have no order.
        case greater = ">"
        /// False where a side is NULL, or the two have no order.
        case greaterOrEqual = ">="
        /// The right side is an ICU expression that the whole left side must match.
        case matches = "MATCHES"
        /// The text on the left begins with that on the right. False where a side is no text or URI.
        case beginsWith = "BEGINSWITH"
        /// The text on the left ends with that on the right. False where a side is no text or URI.
        case endsWith = "ENDSWITH"
        /// The text on the left has that on the right in it, or the list on the left has the right side as an element.
        case contains = "CONTAINS"
        /// The right side is a list.
        case isIn = "IN"
    }

    /// How text is compared: `[c]` ignores case, `[d]` marks such as accents.
    public struct Options: OptionSet, Sendable, Hashable, Codable {
        /// The sum of the options' numbers, which are Core Data's. (`NSComparisonPredicate.Options`)
        public let rawValue: Int

        /// The options whose numbers add up to `rawValue`; 0 for none.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `[c]`: upper and lower case are the same.
        public static let caseInsensitive = Self(rawValue: 1)
        /// `[d]`: a letter is the same with an accent or another mark and without.
        public static let diacriticInsensitive = Self(rawValue: 2)
    }
}

/// A side of a comparison. (`NSExpression`)
public indirect enum ObjectExpression: Sendable, Hashable, Codable {
    /// The object or value that is tested.
    case evaluatedObject
    /// The same value for every object.
    case constant(AttributeValue)
    /// No value: `nil` in the format language.
    case null
    /// A value reached from the tested object over the named properties: `department.name`, or `length` of a text.
    case keyPath(String)
    /// Several values, for the right side of `IN`; those that are NULL are left out.
    case list([ObjectExpression])
}

extension ObjectPredicate {
    /// A comparison without options; the form that rules in code mostly take.
    public static func compare(_ left: ObjectExpression, _ operation: Operator, _ right: ObjectExpression) -> Self {
        .comparison(left, operation, right, [])
    }
}
