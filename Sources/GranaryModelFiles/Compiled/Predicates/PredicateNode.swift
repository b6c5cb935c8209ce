import GranaryModel

/// A predicate as Core Data archives it. (`NSPredicate`)
///
/// Model files hold variables, functions and operators on to-many relationships, which `ObjectPredicate`, the type that
/// Granary evaluates, does not have. Readers and the parser build trees no deeper than ``depthLimit``, so recursion
/// over them is bounded.
indirect enum PredicateNode: Sendable, Hashable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    case comparison(PredicateComparisonNode)
    /// NOT has exactly one part.
    case compound(CompoundKind, [PredicateNode])

    /// The raw values are those of `NSCompoundPredicate.LogicalType`.
    enum CompoundKind: Int64, Sendable, Hashable {
        case not = 0
        case and = 1
        case or = 2
    }

    /// The depth limit of a tree, including expressions. It is three more than that of `ObjectPredicate`, in which a
    /// key path has no operand below it, and `BETWEEN` no list.
    static let depthLimit = ObjectPredicate.depthLimit + 3
}

/// A comparison of two expressions. (`NSComparisonPredicate`)
struct PredicateComparisonNode: Sendable, Hashable {
    /// The raw values are those of `NSComparisonPredicate.Operator`.
    enum Operator: Int64, Sendable, Hashable, CaseIterable {
        case less = 0
        case lessOrEqual = 1
        case greater = 2
        case greaterOrEqual = 3
        case equal = 4
        case notEqual = 5
        case matches = 6
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        case isIn = 10
        case contains = 99
        case between = 100
    }

    /// How text is compared. The raw values are those of `NSComparisonPredicate.Options`, and `[w]`.
    struct Options: OptionSet, Sendable, Hashable {
        let rawValue: Int64

        static let caseInsensitive = Self(rawValue: 1)
        static let diacriticInsensitive = Self(rawValue: 2)
        static let normalized = Self(rawValue: 4)
        static let localeSensitive = Self(rawValue: 8)
        /// Foundation's, without a public name.
        static let wordwise = Self(rawValue: 16)
        static let all = Self(rawValue: 31)
    }

    /// Whether the left side is a collection whose members are compared one by one. The raw values are those of
    /// `NSComparisonPredicate.Modifier`.
    enum Modifier: Int64, Sendable, Hashable {
        case direct = 0
        case all = 1
        case any = 2
    }

    var left: ExpressionNode
    var operation: Operator
    var right: ExpressionNode
    var options: Options = []
    var modifier = Modifier.direct

    init(
        _ left: ExpressionNode, _ operation: Operator, _ right: ExpressionNode, options: Options = [],
        modifier: Modifier = .direct
    ) {
        self.left = left
        self.operation = operation
        self.right = right
        self.options = options
        self.modifier = modifier
    }
}
