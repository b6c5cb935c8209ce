/// Predicates joined by operators. (`NSCompoundPredicate`)
///
/// ```swift
/// let wanted = recent && !(short || draft)
/// ```
extension ObjectPredicate {
    /// True if both predicates are true.
    public static func && (left: Self, right: Self) -> Self {
        switch (left, right) {
        case (.and(let first), .and(let second)): .and(first + second)
        case (.and(let first), _): .and(first + [right])
        case (_, .and(let second)): .and([left] + second)
        default: .and([left, right])
        }
    }

    /// True if at least one of the predicates is true.
    public static func || (left: Self, right: Self) -> Self {
        switch (left, right) {
        case (.or(let first), .or(let second)): .or(first + second)
        case (.or(let first), _): .or(first + [right])
        case (_, .or(let second)): .or([left] + second)
        default: .or([left, right])
        }
    }

    /// True if the predicate is false.
    public static prefix func ! (predicate: Self) -> Self { .not(predicate) }
}
