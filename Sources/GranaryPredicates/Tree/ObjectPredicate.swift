/// A condition on an object or a value, as a tree. (`NSPredicate`; Foundation owns the name `Predicate`.)
///
/// ```swift
/// let adults = try ObjectPredicate("age >= %@ AND department.name BEGINSWITH[c] 'sur'", 18)
/// let same: ObjectPredicate = .compare(.keyPath("age"), .greaterOrEqual, .constant(.integer(18)))
/// ```
///
/// Comparisons are two-valued, as those of `NSPredicate` in memory: a comparison with NULL is true or false, never
/// unknown. Text compares by its UTF-8 bytes unless there are options. The same tree is evaluated in memory and
/// translated to SQL, and is what model files store.
public indirect enum ObjectPredicate: Sendable, Hashable, Codable {
    /// Always true or always false. (`TRUEPREDICATE`, `FALSEPREDICATE`)
    case constant(Bool)
    /// A comparison of two expressions. (`NSComparisonPredicate`)
    case comparison(Comparison)
    /// True if all parts are true; an empty list is true. (`NSCompoundPredicate`)
    case and([ObjectPredicate])
    /// True if at least one part is true; an empty list is false. (`NSCompoundPredicate`)
    case or([ObjectPredicate])
    /// True if the part is false. (`NSCompoundPredicate`)
    case not(ObjectPredicate)

    /// A comparison of two expressions. (`NSComparisonPredicate`)
    public struct Comparison: Sendable, Hashable, Codable {
        /// The left side.
        public var left: ObjectExpression
        /// The operator.
        public var operation: Operator
        /// The right side.
        public var right: ObjectExpression
        /// How text is compared.
        public var options: Options
        /// Whether the left side is a collection whose elements are compared one by one.
        public var modifier: Modifier

        /// A comparison.
        public init(
            _ left: ObjectExpression, _ operation: Operator, _ right: ObjectExpression, options: Options = [],
            modifier: Modifier = .direct
        ) {
            self.left = left
            self.operation = operation
            self.right = right
            self.options = options
            self.modifier = modifier
        }
    }

    /// A comparison operator. (`NSComparisonPredicate.Operator`)
    public enum Operator: String, Sendable, Hashable, Codable, CaseIterable {
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
        /// The right side is a pattern for the whole left side, in which `*` is any text and `?` one character.
        case like = "LIKE"
        /// The text on the left begins with the text on the right. False if a side is not text or a URI.
        case beginsWith = "BEGINSWITH"
        /// The text on the left ends with the text on the right. False if a side is not text or a URI.
        case endsWith = "ENDSWITH"
        /// The text on the left contains the text on the right, or the list on the left contains the right side.
        case contains = "CONTAINS"
        /// The list on the right contains the left side, or the text on the right contains the text on the left.
        case isIn = "IN"
        /// The right side is a list of two inclusive bounds. False if one of the three values is NULL.
        case between = "BETWEEN"
    }

    /// How text is compared. (`NSComparisonPredicate.Options`)
    public struct Options: OptionSet, Sendable, Hashable, Codable {
        /// The options as Core Data's bit mask.
        public let rawValue: Int

        /// The options of a bit mask; 0 for none.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `[c]`: ignores case.
        public static let caseInsensitive = Self(rawValue: 1)
        /// `[d]`: ignores accents and other marks.
        public static let diacriticInsensitive = Self(rawValue: 2)
        /// `[n]`: the text is compared byte by byte, without other options, as it is without options here.
        public static let normalized = Self(rawValue: 4)
        /// `[l]`: compares with the rules of the current locale.
        public static let localeSensitive = Self(rawValue: 8)
        /// `[w]`: matches whole words; Foundation has no public name for it. It is kept, but cannot be evaluated.
        public static let wordwise = Self(rawValue: 16)
    }

    /// Whether the left side is a collection whose elements are compared one by one.
    /// (`NSComparisonPredicate.Modifier`)
    public enum Modifier: String, Sendable, Hashable, Codable {
        /// The two sides are compared as they are.
        case direct
        /// `ALL`: the comparison is true for every element; true for an empty collection.
        case all
        /// `ANY`, `SOME`: the comparison is true for an element. `NONE` is `NOT ANY`.
        case any
    }
}

extension ObjectPredicate {
    /// A comparison of two expressions.
    public static func compare(
        _ left: ObjectExpression, _ operation: Operator, _ right: ObjectExpression, options: Options = [],
        modifier: Modifier = .direct
    ) -> Self {
        .comparison(Comparison(left, operation, right, options: options, modifier: modifier))
    }

    /// Whether a value is between two inclusive bounds. False if one of the three is NULL. (`BETWEEN`)
    public static func between(
        _ value: ObjectExpression, lower: ObjectExpression, upper: ObjectExpression
    ) -> Self {
        .compare(value, .between, .list([lower, upper]))
    }
}
