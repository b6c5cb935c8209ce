/// An option of `PropertyDescription.toOne` and `toMany`.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// At least one object is required.
    public static let required = Self { $0.isOptional = false }
    /// The relationship is ordered.
    public static let ordered = Self { $0.isOrdered = true }
    /// The value exists only in memory.
    public static let transient = Self { $0.isTransient = true }

    /// The delete rule.
    public static func deleteRule(_ rule: RelationshipDescription.DeleteRule) -> Self {
        Self { $0.deleteRule = rule }
    }

    /// The minimum and maximum number of objects of a to-many relationship; 0 is no upper bound.
    public static func count(_ minimum: Int, _ maximum: Int) -> Self {
        Self {
            $0.minCount = minimum
            $0.maxCount = maximum
        }
    }
}
