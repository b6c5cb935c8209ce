/// Predicates joined by operators: `p && !q || r`. (`NSCompoundPredicate`)
extension ObjectPredicate {
    /// Both conditions. Those that are already joined by AND become one list.
    public static func && (left: Self, right: Self) -> Self { .and(left.conjuncts + right.conjuncts) }

    /// At least one of the conditions. Those that are already joined by OR become one list.
    public static func || (left: Self, right: Self) -> Self { .or(left.disjuncts + right.disjuncts) }

    /// The opposite of a condition.
    public static prefix func ! (part: Self) -> Self { .not(part) }

    // Lists, because a chain of many operators would otherwise be a tree of as many levels.
    private var conjuncts: [Self] { if case .and(let parts) = self { parts } else { [self] } }
    private var disjuncts: [Self] { if case .or(let parts) = self { parts } else { [self] } }
}
